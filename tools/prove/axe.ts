import type { Proof } from "./proof.ts";

export const axe: Proof = {
  about: "no screen or dialog has a fault that axe can see: light and dark, empty, filled, failed",
  cases: "places",
  n: 1_000,
  named: true,
  run: { story: "e2e/screens/axe.spec.ts" },
};
