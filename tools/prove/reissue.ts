import type { Proof } from "./proof.ts";

export const reissue: Proof = {
  about: "re-issue pressed by twenty sessions at once while the wallet pays and answers 500",
  cases: "presses",
  n: 200,
  run: { project: "server", test: "packages/server/src/payouts/reissue-presses.test.ts" },
};
