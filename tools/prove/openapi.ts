import type { Proof } from "./proof.ts";

export const openapi: Proof = {
  about: "calls made from the served OpenAPI: none is answered by a 5xx or off its schema",
  cases: "calls",
  n: 20_000,
  run: { project: "server", test: "packages/server/src/contract-fuzz.test.ts" },
};
