/** The log of a process. It names no player, because erasing a player does not change the log (docs/security.md). */
import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

/*
 * These fields are removed: in errors of PostgreSQL they contain values of rows and calls, and in errors of the form
 * reader they contain all headers of a call.
 */
const PATHS = ["err.detail", "err.where", "busboyOptions"];

export function openLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, redact: { paths: PATHS, remove: true } }, to);
}
