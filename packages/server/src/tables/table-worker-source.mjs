/** Starts the reading thread from its source; a thread does not inherit the loader of its parent. */
import { register } from "tsx/esm/api";

register();
await import("./table-worker.ts");
