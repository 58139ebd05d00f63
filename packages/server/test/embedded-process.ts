/** A process that opens the embedded database of its first argument, prints the connection, and stops when its input ends. */
import { once } from "node:events";
import { startEmbedded } from "#platform/embedded/supervisor";

const database = await startEmbedded({ dataDir: process.argv[2] ?? "" });
process.stdout.write(`${JSON.stringify(database.connection)}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await database.stop();
