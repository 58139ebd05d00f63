/** The server process: starts what server.ts puts together, and stops it once, however often asked. */
import { fileURLToPath } from "node:url";
import { loadConfig } from "#config";
import { pino } from "pino";
import { startServer } from "./server.ts";

const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist", import.meta.url));

async function main(): Promise<void> {
  const config = loadConfig();
  const log = pino({ level: config.logLevel });
  const onLost = (reason: Error) => {
    log.fatal({ err: reason }, "the database belongs to another server now");
    process.exit(1);
  };
  const server = await startServer({ config, log, consoleFolder: CONSOLE_FOLDER, onLost });
  process.stdout.write(`${server.greeting}\n`);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal does not cut the drain (running: SIGTERM).
    if (isStopping) {
      return;
    }
    isStopping = true;
    log.info({ signal }, "stopping");
    server.stop().then(
      () => process.exit(0),
      (fault: unknown) => {
        log.fatal({ err: fault }, "could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((fault: unknown) => {
  // There may be no log yet; whoever started it wants one readable message.
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exit(1);
});
