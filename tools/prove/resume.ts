import type { Proof } from "./proof.ts";

export const resume: Proof = {
  about:
    "workers killed between sending and writing down: settled within a minute, one credit each",
  cases: "kills",
  n: 30,
  run: { project: "server", test: "packages/server/src/payouts/payout-kill.test.ts" },
};
