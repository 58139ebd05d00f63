import type { Proof } from "./proof.ts";

export const faults: Proof = {
  about:
    "faults planted one by one in a copy of the tree: the test named for each fails, and passes without",
  cases: "faults",
  n: 32,
  run: { program: "tools/faults/run.ts" },
};
