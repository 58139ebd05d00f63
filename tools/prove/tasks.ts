import type { Proof } from "./proof.ts";

export const tasks: Proof = {
  about: "what operators do every day takes no more clicks than it may, counted in the browser",
  cases: "times",
  n: 1,
  run: { story: "e2e/stories/tasks.spec.ts" },
};
