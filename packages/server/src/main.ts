/** The server process: starts server.ts and stops it only once, even after several signals. */
import { fileURLToPath } from "node:url";
import { reasonOf } from "#platform/http/answer";
import { loadConfig } from "#platform/config";
import { armFailpoints } from "#platform/failpoint";
import { openLog } from "#platform/log";
import { startServer } from "./server.ts";

const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist", import.meta.url));

async function main(): Promise<void> {
  const config = loadConfig();
  if (config.failpointFile !== null) {
    armFailpoints(config.failpointFile);
  }
  const log = openLog(config.logLevel);
  const onLost = (reason: Error) => {
    log.fatal({ err: reason }, "the database belongs to another server now");
    process.exit(1);
  };
  const starting = startServer({ config, log, consoleFolder: CONSOLE_FOLDER, onLost });

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // Ignores a second signal. A signal during the start waits for the end of the start (running: SIGTERM).
    if (isStopping) {
      return;
    }
    isStopping = true;
    log.info({ signal }, "stopping");
    starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (fault: unknown) => {
          log.fatal({ err: fault }, "could not stop cleanly");
          process.exit(1);
        },
      );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const server = await starting;
  process.stdout.write(`${server.greeting}\n`);
}

main().catch((fault: unknown) => {
  // The log may not exist yet.
  process.stderr.write(`${reasonOf(fault)}\n`);
  process.exit(1);
});
