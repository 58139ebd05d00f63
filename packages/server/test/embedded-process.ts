/**
 * A process of its own that opens the embedded database of the data folder in its first argument,
 * tells its connection on one line, and stops when its input ends.
 */
import { once } from "node:events";
import { startEmbedded } from "#platform/embedded/supervisor";

const database = await startEmbedded({ dataDir: process.argv[2] ?? "" });
process.stdout.write(`${JSON.stringify(database.connection)}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await database.stop();
