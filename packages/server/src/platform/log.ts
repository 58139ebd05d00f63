/** The log of a process; nothing in it names a player, since erasing does not reach it (docs/security.md). */
import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

/* PostgreSQL's errors hold values of rows and calls here, and the reader of forms all headers of a call. */
const PATHS = ["err.detail", "err.where", "busboyOptions"];

export function openLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, redact: { paths: PATHS, remove: true } }, to);
}
