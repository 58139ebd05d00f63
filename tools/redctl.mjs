/** `npm run -s redctl -- …`: the operators' command line, after a silent build. */
import { build, giveUp } from "./build.mjs";

await build(["server"]).catch(giveUp);
process.setSourceMapsEnabled(true);
await import("../packages/server/dist/redctl.js");
