/** Every command of redctl, in the order of the help. A new one is a file of its own and a line here. */
import { adminCommands } from "#cli/admin";
import { backupCommand } from "#cli/backup";
import type { Command } from "#cli/command";
import { configCommand } from "#cli/config-print";
import { doctorCommand } from "#cli/doctor";
import { keyCommands } from "#cli/keys";
import { migrateCommand } from "#cli/migrate";
import { payoutCommands } from "#cli/payouts";
import { reconcileCommand } from "#cli/reconcile";
import { restoreCommand } from "#cli/restore";
import { seedCommand } from "#cli/seed";
import { verifyCommand } from "#cli/verify";
import { walletCheckCommand } from "#cli/wallet-check";

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
