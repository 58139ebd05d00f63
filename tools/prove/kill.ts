import type { Proof } from "./proof.ts";

export const kill: Proof = {
  about:
    "kill -9 of server, worker, PostgreSQL and wallet at every moment that decides: nothing lost or paid twice",
  cases: "kills",
  n: 200,
  run: { program: "e2e/outside/kill.ts" },
};
