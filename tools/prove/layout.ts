import type { Proof } from "./proof.ts";

export const layout: Proof = {
  about: "the worst data fits every screen at three widths; contact sheets go to .cache/screens",
  cases: "places",
  n: 1_000,
  named: true,
  run: { story: "e2e/screens/layout.spec.ts" },
};
