import type { Proof } from "./proof.ts";

export const ingest: Proof = {
  about: "calls of 5,000 new players at once slow single draws at most threefold, and no probe",
  cases: "calls",
  n: 30,
  run: { project: "server", test: "packages/server/src/players/ingest-load.test.ts" },
};
