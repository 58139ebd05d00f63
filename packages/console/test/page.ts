/** The page that tests of the console run in: happy-dom's, whatever of a page Node has of its own. */
import { builtinEnvironments } from "vitest/runtime";
import type { Environment } from "vitest/runtime";

const page = builtinEnvironments["happy-dom"];

/* Vitest puts in only what is missing, and from 25 on Node has storages, one of them undefined without a file for it. */
const NODES_OWN = ["localStorage", "sessionStorage"] as const;

const environment: Environment = {
  ...page,
  setup(global, options) {
    NODES_OWN.forEach((name) => Reflect.deleteProperty(global, name));
    return page.setup(global, options);
  },
};

// Vitest loads an environment by its default export.
// oxlint-disable-next-line import/no-default-export
export default environment;
