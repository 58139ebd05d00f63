/** All commands of redctl, in the order of the help. A new one is a file and a line here. */
import { adminCommands } from "./admin.ts";
import { backupCommand } from "./backup.ts";
import type { Command } from "./command.ts";
import { printableConfig } from "#platform/config";
import { doctorCommand } from "./doctor.ts";
import { keyCommands } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { monthCommands } from "./months.ts";
import { payoutCommands } from "./payouts.ts";
import { playerCommands } from "./players.ts";
import { reconcileCommand } from "./reconcile.ts";
import { resealCommand } from "./reseal.ts";
import { restoreCommand } from "./restore.ts";
import { rollupsCommand } from "./rollups.ts";
import { seedCommand } from "./seed.ts";
import { verifyCommand } from "./verify.ts";
import { walletCheckCommand } from "./wallet-check.ts";
import { webhookCommands } from "./webhooks.ts";

const configCommand: Command = {
  name: "config print",
  summary: "show the configuration in force, without its secrets",
  options: {},
  run: async ({ config }) => {
    const json = printableConfig(config);
    return { json, lines: Object.entries(json).map(([name, value]) => `${name}=${value}`) };
  },
};

export const COMMANDS: readonly Command[] = [
  ...adminCommands,
  ...keyCommands,
  migrateCommand,
  seedCommand,
  verifyCommand,
  resealCommand,
  rollupsCommand,
  reconcileCommand,
  ...payoutCommands,
  ...playerCommands,
  ...monthCommands,
  ...webhookCommands,
  backupCommand,
  restoreCommand,
  walletCheckCommand,
  doctorCommand,
  configCommand,
];
