/** What a command of redctl is made of, and how what it says is shown. */
import { AppError } from "@red/contract/errors";
import { text } from "@red/contract/texts";
import type { Config } from "#platform/config";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import type { ConnectionConfig, Db } from "#platform/connection";

export interface CommandOption {
  /** How its value is called in the help; absent: a switch. */
  readonly value?: string;
  readonly help: string;
  readonly required?: boolean;
  /** Another name that it goes by. */
  readonly alias?: string;
  /** The environment variable that it takes the place of when it is given. */
  readonly variable?: string;
}

/**
 * What a command needs of the database. `current`: it is there, with this program's schema. `made`:
 * the same, but where there was nothing it is made. `found`: it is there, whatever its schema.
 * `bare`: made where there was none, its schema left alone.
 */
export type Need = "current" | "made" | "found" | "bare";

/** What a command works with. */
export interface Call {
  /** The value of an option; "" when it was not given. */
  value(option: string): string;
  /** Was the switch given? */
  has(option: string): boolean;
  readonly config: Config;
  /** Who is written into audit rows. */
  readonly actor: Actor;
  /** Opens the database; it is closed when the command ends. */
  open(need: Need): Promise<Db>;
  /** How to reach the database that `open` opened, for connections of one's own. */
  connection(): ConnectionConfig;
  /** Encrypts under the key that this database was begun with; throws when ours is another one. */
  secrets(db: Db): Promise<SecretBox>;
  /** All that comes in on standard input. */
  input(): Promise<string>;
  /** Shows a line at once, unless the answer is asked for as JSON. */
  say(line: string): void;
}

/** What a command answers. */
export interface Report {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed without. */
  readonly lines: readonly string[];
  /** The command did its work and found something wrong: exit code 1. */
  readonly isFault?: boolean;
}

export interface Command {
  /** As it is typed: one word, or group and verb. */
  readonly name: string;
  readonly summary: string;
  /** The option that a first word without dashes fills. */
  readonly positional?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly run: (call: Call) => Promise<Report>;
}

/** A heading and the rows under it; nothing but the heading when there are none. */
export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** One sentence about anything that was thrown. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof AppError) {
    return text(fault.key, "en", fault.values);
  }
  // A name with several addresses fails with one fault for each, and no message of its own.
  if (fault instanceof AggregateError && fault.errors.length > 0) {
    return reasonOf(fault.errors[0]);
  }
  if (fault instanceof Error && fault.message !== "") {
    // `fetch failed` says nothing; what it was caused by does.
    return fault instanceof TypeError && fault.cause !== undefined
      ? `${fault.message}: ${reasonOf(fault.cause)}`
      : fault.message;
  }
  return String(fault);
}
