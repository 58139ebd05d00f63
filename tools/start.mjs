/**
 * `npm start`: builds what has changed and becomes the server. A single process, so that signals reach the server and
 * its exit code is the command's.
 */
import { build, giveUp } from "./build.mjs";

await build(undefined, (line) => process.stderr.write(`${line}\n`)).catch(giveUp);
process.setSourceMapsEnabled(true);
await import("../packages/server/dist/main.js");
