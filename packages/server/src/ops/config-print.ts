/** Shows the configuration as this program reads it. */
import type { Call, Command, Report } from "./command.ts";
import { printableConfig } from "#platform/config";

async function run(call: Call): Promise<Report> {
  const json = printableConfig(call.config);
  return { json, lines: Object.entries(json).map(([name, value]) => `${name}=${value}`) };
}

export const configCommand: Command = {
  name: "config print",
  summary: "show the configuration in force, without its secrets",
  options: {},
  run,
};
