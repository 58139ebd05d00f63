/** `npm run -s redctl -- …`: the operators' command line, built before without a word. */
import { build, giveUp } from "./build.mjs";

await build(["server"]).catch(giveUp);
process.setSourceMapsEnabled(true);
await import("../packages/server/dist/redctl.js");
