import type { Proof } from "./proof.ts";

export const wallet: Proof = {
  about:
    "the twenty ways in which a wallet goes wrong: nobody paid twice, wrongly failed or left out",
  cases: "payouts",
  n: 200,
  run: { project: "server", test: "packages/server/src/payouts/wallet-modes.test.ts" },
};
