/** The page that console tests run in: happy-dom's, even where Node has globals of the same name. */
import { builtinEnvironments } from "vitest/runtime";
import type { Environment } from "vitest/runtime";

const page = builtinEnvironments["happy-dom"];

/* Vitest adds only missing globals. Node has storages from version 25 on; one is undefined if Node has no file for it. */
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
