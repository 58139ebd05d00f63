import type { Proof } from "./proof.ts";

export const restore: Proof = {
  about: "a restore that forgets payouts which the wallet has made: nobody paid twice or left out",
  cases: "payouts",
  n: 1_000,
  run: { project: "server", test: "packages/server/src/ops/backup.test.ts" },
};
