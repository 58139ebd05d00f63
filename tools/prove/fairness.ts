import type { Proof } from "./proof.ts";

export const fairness: Proof = {
  about:
    "every ticket of random pools leads to its prize; a thousand draws per pool are spread as the weights say",
  cases: "pools",
  n: 10_000,
  run: { project: "engine", test: "packages/engine/src/draw-fairness.test.ts" },
};
