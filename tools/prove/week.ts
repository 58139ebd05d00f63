import type { Proof } from "./proof.ts";

export const week: Proof = {
  about:
    "a week of operation on the screens: copy, refill, outage, stop, month end; pictures are optional",
  cases: "pictures",
  n: 0,
  run: { story: "e2e/stories/week.spec.ts" },
};
