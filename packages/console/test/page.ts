/** Environment of the console tests. It uses the globals of happy-dom, even if Node has globals with the same name. */
import { builtinEnvironments } from "vitest/runtime";
import type { Environment } from "vitest/runtime";

const page = builtinEnvironments["happy-dom"];

/* Vitest adds only globals that are missing. Node has these two storages from version 25 on, and one of them is
   undefined if Node has no file for it. */
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
