import type { Proof } from "./proof.ts";

export const facts: Proof = {
  about: "each fact of the specification is to be seen in the browser",
  cases: "times",
  n: 1,
  run: { story: "e2e/screens/spec-facts.spec.ts" },
};
