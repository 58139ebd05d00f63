import type { Proof } from "./proof.ts";

export const verifier: Proof = {
  about: "the offline verifier derives every draw of a round again from its evidence",
  cases: "draws",
  n: 100_000,
  run: { project: "server", test: "packages/server/src/evidence/round-proof.test.ts" },
};
