/** Finds the command, reads its options, runs it and prints what it answers. */
import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { ensureSecretKeyRight } from "#platform/secret-canary";
import { secretBox } from "#platform/secret-box";
import type { Call, Command, Report } from "./command.ts";
import { openDatabase } from "./connect.ts";
import type { OpenDatabase } from "./connect.ts";
import { reasonOf } from "./reason.ts";
import { commandHelp, listHelp } from "./usage.ts";
import { ensureSecretKey } from "#platform/config";
import type { Config, Environment } from "#platform/config";

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** All that comes in on standard input. */
  input(): Promise<string>;
}

export interface RunOptions {
  readonly commands: readonly Command[];
  readonly terminal: Terminal;
  /** Reads the configuration; `given` wins over the environment. Throws what is wrong with it. */
  readonly config: (given: Environment) => Config;
  /** Cuts the command short; the database is left in good order. */
  readonly signal: AbortSignal;
}

const DONE = 0;
const FAULT = 1;
const USAGE = 2;

interface Asked {
  readonly command: Command;
  readonly values: ReadonlyMap<string, string | true>;
  readonly json: boolean;
}

type Understood = Asked | { readonly wrong: string } | { readonly help: string };

function readValues(command: Command, args: string[]): ReadonlyMap<string, string | true> {
  const known = Object.entries(command.options).flatMap(([name, option]) =>
    [name, option.alias ?? name].map((word) => ({ word, name, option })),
  );
  const options = Object.fromEntries(
    known.map(({ word, option }) => [
      word,
      { type: option.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const read = new Map<string, string | true>();
  for (const { word, name } of known) {
    const value = values[word];
    if (typeof value === "string" || value === true) {
      read.set(name, value);
    }
  }
  const [first, ...others] = positionals;
  if (first !== undefined) {
    if (command.positional === undefined || read.has(command.positional)) {
      throw new Error(`unexpected word "${first}"`);
    }
    read.set(command.positional, first);
  }
  if (others.length > 0) {
    throw new Error(`unexpected word "${others[0]}"`);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required === true && (read.get(name) ?? "") === "") {
      throw new Error(`--${name} is missing`);
    }
  }
  return read;
}

/** Takes a switch that every command has out of the words. */
function takeSwitch(args: string[], ...names: readonly string[]): boolean {
  const before = args.length;
  const kept = args.filter((arg) => !names.includes(arg));
  args.splice(0, before, ...kept);
  return kept.length < before;
}

function understand(argv: readonly string[], commands: readonly Command[]): Understood {
  const args = [...argv];
  const json = takeSwitch(args, "--json");
  const isHelp = takeSwitch(args, "--help", "-h");
  const words = args.join(" ");
  const command = commands.find(({ name }) => words === name || words.startsWith(`${name} `));
  if (command === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${args[0] ?? ""} `));
    const list = listHelp(group.length > 0 ? group : commands);
    if (isHelp && (args.length === 0 || group.length > 0)) {
      return { help: list };
    }
    const wrong = args.length === 0 ? "which command?" : `there is no command "${words}"`;
    return { wrong: `${wrong}\n\n${list}` };
  }
  if (isHelp) {
    return { help: commandHelp(command) };
  }
  try {
    const rest = args.slice(command.name.split(" ").length);
    return { command, values: readValues(command, rest), json };
  } catch (fault) {
    return { wrong: `${reasonOf(fault)}\n\n${commandHelp(command)}` };
  }
}

/** Who runs the program; an account without a name is still somebody. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** What the options say in place of the environment. */
function givenVariables({ command, values }: Asked): Environment {
  const given: Record<string, string> = {};
  for (const [name, { variable }] of Object.entries(command.options)) {
    const value = values.get(name);
    if (variable !== undefined && typeof value === "string") {
      given[variable] = value;
      // A file that the environment names for it is not meant then.
      given[`${variable}_FILE`] = "";
    }
  }
  return given;
}

async function carryOut(asked: Asked, options: RunOptions): Promise<Report> {
  const { values, json } = asked;
  const { terminal } = options;
  const config = options.config(givenVariables(asked));
  const opened: OpenDatabase[] = [];
  const call: Call = {
    value: (option) => {
      const value = values.get(option);
      return typeof value === "string" ? value : "";
    },
    has: (option) => values.get(option) === true,
    config,
    actor: { kind: "redctl", name: accountName(), request_id: null, address: null },
    open: async (need) => {
      const database = await openDatabase(config, need);
      opened.push(database);
      return database.db;
    },
    connection: () => {
      const [database] = opened;
      if (database === undefined) {
        throw new Error("the database was not opened");
      }
      return database.connection;
    },
    secrets: async (db) => {
      const secrets = secretBox(config.secretKey ?? ensureSecretKey(config.dataDir));
      await ensureSecretKeyRight(db, secrets);
      return secrets;
    },
    input: () => terminal.input(),
    say: (line) => {
      if (!json) {
        terminal.out(`${line}\n`);
      }
    },
  };
  const { signal } = options;
  const cut = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("interrupted")));
  });
  try {
    return await Promise.race([asked.command.run(call), cut]);
  } finally {
    for (const database of opened) {
      await (signal.aborted ? database.leave() : database.close());
    }
  }
}

/**
 * Runs redctl with the words after its name and answers the exit code: 0 done, 1 fault, 2 wrong
 * usage. Faults are one line on the error stream.
 */
export async function runRedctl(argv: readonly string[], options: RunOptions): Promise<number> {
  const { terminal } = options;
  const asked = understand(argv, options.commands);
  if ("help" in asked) {
    terminal.out(asked.help);
    return DONE;
  }
  if ("wrong" in asked) {
    terminal.err(`redctl: ${asked.wrong}`);
    return USAGE;
  }
  try {
    const report = await carryOut(asked, options);
    const shown = asked.json ? [JSON.stringify(report.json)] : report.lines;
    terminal.out(shown.map((line) => `${line}\n`).join(""));
    return report.isFault === true ? FAULT : DONE;
  } catch (fault) {
    terminal.err(`redctl: ${reasonOf(fault)}\n`);
    return FAULT;
  }
}
