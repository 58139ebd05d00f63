import type { Proof } from "./proof.ts";

export const outage: Proof = {
  about:
    "the wallet down for an hour: all that waited is paid once, and draws are as fast as before",
  cases: "payouts",
  n: 36_000,
  run: { project: "server", test: "packages/server/src/payouts/wallet-outage.test.ts" },
};
