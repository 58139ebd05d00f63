/** Finds the command, parses its options, runs it and prints its report. */
import { userInfo } from "node:os";
import { CommanderError, Option, Command as Program } from "commander";
import { inTransaction } from "#platform/db/connection";
import { withNames } from "#platform/player-names";
import { ensureSecretKeyRight } from "#platform/secret-canary";
import { secretBox } from "#platform/secret-box";
import { reasonOf } from "#platform/http/answer";
import type { Call, Command, CommandOption, Report } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { openDatabase } from "./connect.ts";
import type { OpenDatabase } from "./connect.ts";
import { ensureSecretKey } from "#platform/config";
import type { Config, Environment } from "#platform/config";

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  input(): Promise<string>;
}

export interface RunOptions {
  readonly terminal: Terminal;
  /** Values in `given` override the environment. Throws all errors of the configuration. */
  readonly config: (given: Environment) => Config;
  /** Interrupts the command. The database stays consistent. */
  readonly signal: AbortSignal;
}

const DONE = 0;
const FAULT = 1;
const USAGE = 2;

interface Parsed {
  readonly command: Command;
  readonly values: ReadonlyMap<string, string | true>;
  readonly json: boolean;
}

function optionOf(name: string, { value, help }: CommandOption): Option {
  return new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
}

/** Parses the options and the arguments without dashes. Wrong options print the usage and end the command. */
function readValues(program: Program, command: Command): ReadonlyMap<string, string | true> {
  const values = new Map<string, string | true>();
  const places = command.positional?.split(" ") ?? [];
  for (const [name, option] of Object.entries(command.options ?? {})) {
    const given = [name, option.alias ?? name].map((word): unknown =>
      program.getOptionValue(optionOf(word, option).attributeName()),
    );
    const [found, another] = new Set(
      [program.args[places.indexOf(name)], ...given].filter((value) => value !== undefined),
    );
    if (another !== undefined) {
      program.error(`error: --${name} is given twice`);
    }
    if (typeof found === "string" || found === true) {
      values.set(name, found);
    }
    if (option.required === true && (found ?? "") === "") {
      program.error(`error: --${name} is missing`);
    }
  }
  return values;
}

function addCommand(root: Program, command: Command, onParsed: (parsed: Parsed) => void): void {
  const [first = "", verb] = command.name.split(" ");
  const group = verb === undefined ? root : root.commands.find((child) => child.name() === first);
  const program = (group ?? root.command(first)).command(verb ?? first);
  program.description(command.summary);
  command.positional?.split(" ").forEach((place) => program.argument(`[${place}]`));
  for (const [name, option] of Object.entries(command.options ?? {})) {
    program.addOption(optionOf(name, option));
    if (option.alias !== undefined) {
      program.addOption(optionOf(option.alias, option).hideHelp());
    }
  }
  program.option("--json", "answer as JSON").action(() => {
    const json = program.optsWithGlobals()["json"] === true;
    onParsed({ command, values: readValues(program, command), json });
  });
}

/** Parses the arguments. Returns an exit code if help was printed or the usage is wrong. */
function parseArgs(argv: readonly string[], { terminal }: RunOptions): Parsed | number {
  let parsed: Parsed | null = null;
  const root = new Program("redctl")
    .option("--json", "answer as JSON, for every command")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (words, write) => write(words.replace(/^error/, "redctl")),
    });
  for (const command of COMMANDS) {
    addCommand(root, command, (value) => (parsed = value));
  }
  for (const group of root.commands.filter((child) => child.commands.length > 0)) {
    group.description(group.commands.map((child) => child.name()).join(", "));
  }
  root.addHelpText("after", "\nExit code: 0 done, 1 fault, 2 wrong usage.");
  try {
    root.parse(argv, { from: "user" });
  } catch (fault) {
    if (fault instanceof CommanderError) {
      return fault.exitCode === 0 ? DONE : USAGE;
    }
    throw fault;
  }
  return parsed ?? USAGE;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function givenVariables({ command, values }: Parsed): Environment {
  const given: Record<string, string> = {};
  for (const [name, { variable }] of Object.entries(command.options ?? {})) {
    const value = values.get(name);
    if (variable !== undefined && typeof value === "string") {
      given[variable] = value;
      // The option also overrides the file that the environment names for this variable.
      given[`${variable}_FILE`] = "";
    }
  }
  return given;
}

async function runCommand(parsed: Parsed, options: RunOptions): Promise<Report> {
  const { values, json } = parsed;
  const { terminal } = options;
  const config = options.config(givenVariables(parsed));
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
    write: async (change) => await inTransaction(await call.open("current"), change),
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
    const report = await Promise.race([parsed.command.run(call), cut]);
    const [database] = opened;
    return database === undefined ? report : await withNames(database.db, report);
  } finally {
    for (const database of opened) {
      await (signal.aborted ? database.leave() : database.close());
    }
  }
}

/** Returns the exit code: 0 done, 1 error (one line on the error stream), 2 wrong usage. */
export async function runRedctl(argv: readonly string[], options: RunOptions): Promise<number> {
  const { terminal } = options;
  const parsed = parseArgs(argv, options);
  if (typeof parsed === "number") {
    return parsed;
  }
  try {
    const report = await runCommand(parsed, options);
    const shown = parsed.json ? [JSON.stringify(report.json)] : report.lines;
    terminal.out(shown.map((line) => `${line}\n`).join(""));
    return report.isFault === true ? FAULT : DONE;
  } catch (fault) {
    terminal.err(`redctl: ${reasonOf(fault)}\n`);
    return FAULT;
  }
}
