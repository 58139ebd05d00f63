/** Every command of redctl, in the order of the help. A new one is a file of its own and a line here. */
import { adminCommands } from "./admin.ts";
import { backupCommand } from "./backup.ts";
import type { Command } from "./command.ts";
import { configCommand } from "./config-print.ts";
import { doctorCommand } from "./doctor.ts";
import { keyCommands } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { payoutCommands } from "./payouts.ts";
import { reconcileCommand } from "./reconcile.ts";
import { restoreCommand } from "./restore.ts";
import { seedCommand } from "./seed.ts";
import { verifyCommand } from "./verify.ts";
import { walletCheckCommand } from "./wallet-check.ts";

export const COMMANDS: readonly Command[] = [
  ...adminCommands,
  ...keyCommands,
  migrateCommand,
  seedCommand,
  verifyCommand,
  reconcileCommand,
  ...payoutCommands,
  backupCommand,
  restoreCommand,
  walletCheckCommand,
  doctorCommand,
  configCommand,
];
