import type { Proof } from "./proof.ts";

export const chances: Proof = {
  about: "chances of random players, as a calculation of its own and the running server have them",
  cases: "players",
  n: 2_000,
  run: { program: "e2e/outside/chances.ts" },
};
