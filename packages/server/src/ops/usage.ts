/** How the commands are told about. */
import type { Command } from "./command.ts";

const PROGRAM = "redctl";

function optionText(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function synopsis(command: Command): string {
  const parts = Object.entries(command.options).map(([name, option]) => {
    const text = optionText(name, option.value);
    if (option.required !== true) {
      return `[${text}]`;
    }
    return command.positional === name ? (option.value ?? name) : text;
  });
  return [PROGRAM, command.name, ...parts].join(" ");
}

/** Everything about one command. */
export function commandHelp(command: Command): string {
  const { positional } = command;
  const options = [
    ...Object.entries(command.options).map(([name, { value, help }]) => [
      name === positional
        ? `${value ?? name}, ${optionText(name, value)}`
        : optionText(name, value),
      help,
    ]),
    ["--json", "answer as JSON"],
    ["--help", "show this"],
  ];
  const width = Math.max(...options.map(([name = ""]) => name.length));
  const lines = options.map(([name = "", help = ""]) => `  ${name.padEnd(width)}  ${help}`);
  return [`usage: ${synopsis(command)}`, "", command.summary, "", ...lines, ""].join("\n");
}

/** The commands, one line each. */
export function listHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `usage: ${PROGRAM} COMMAND [OPTIONS]`,
    "",
    ...lines,
    "",
    "Every command takes --json and --help. Exit code: 0 done, 1 fault, 2 wrong usage.",
    "",
  ].join("\n");
}
