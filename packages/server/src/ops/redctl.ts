/** Entry point of redctl, the operators' command line. */
import { text } from "node:stream/consumers";
import { loadConfig } from "#platform/config";
import { runRedctl } from "./run.ts";

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());
process.once("SIGTERM", () => interrupt.abort());

process.exitCode = await runRedctl(process.argv.slice(2), {
  config: loadConfig,
  signal: interrupt.signal,
  terminal: {
    out: (line) => process.stdout.write(line),
    err: (line) => process.stderr.write(line),
    input: () => text(process.stdin),
  },
});
if (interrupt.signal.aborted) {
  // The interrupted command may still keep the process alive.
  process.exit();
}
