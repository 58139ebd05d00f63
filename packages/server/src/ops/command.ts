/** Parts of a redctl command, and the format of its output. */
import type { Config } from "#platform/config";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import type { ConnectionConfig, Db, Tx } from "#platform/db/connection";

export interface CommandOption {
  /** Name of the value in the help. Switches have no value. */
  readonly value?: string;
  readonly help: string;
  readonly required?: boolean;
  readonly alias?: string;
  /** The environment variable that the option overrides. */
  readonly variable?: string;
}

/**
 * The state of the database that a command needs. `current`: exists with this program's schema. `made`: the same, but
 * created if missing. `found`: exists with any schema. `bare`: created if missing, schema unchanged.
 */
export type Need = "current" | "made" | "found" | "bare";

export interface Call {
  /** Returns an empty text if the option is not given. */
  value(option: string): string;
  has(option: string): boolean;
  readonly config: Config;
  readonly actor: Actor;
  open(need: Need): Promise<Db>;
  /** Changes the `current` database in a transaction. */
  write<T>(change: (tx: Tx) => Promise<T>): Promise<T>;
  /** Returns the address of the database that `open` opened. */
  connection(): ConnectionConfig;
  /** Throws if SECRET_KEY is not the key of this database. */
  secrets(db: Db): Promise<SecretBox>;
  input(): Promise<string>;
  /** Prints a line at once, unless `--json` was given. */
  say(line: string): void;
}

export interface Report {
  /** Printed with `--json`. */
  readonly json: unknown;
  readonly lines: readonly string[];
  /** The command itself worked but found a problem: exit code 1. */
  readonly isFault?: boolean;
}

export interface Command {
  /** One word, or a group and a verb. */
  readonly name: string;
  readonly summary: string;
  /** The options that arguments without dashes set, in order, separated by spaces. */
  readonly positional?: string;
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly run: (call: Call) => Promise<Report>;
}

export function namesOf(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

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
