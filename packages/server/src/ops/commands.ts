/**
 * All redctl commands in the order of the help, and the code of short commands. A longer command has its
 * own file and a line here.
 */
import { adminCommands } from "./admin.ts";
import { backupCommand } from "./backup.ts";
import { erasureRoutes } from "@red/contract/evidence/erasure";
import { SETTING_KEYS, settingRoutes } from "@red/contract/approvals/setting";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { columns } from "./command.ts";
import type { Command } from "./command.ts";
import { doctorCommand } from "./doctor.ts";
import { change, REASON, reasonOf } from "./change.ts";
import { keyCommands } from "./keys.ts";
import { monthCommands } from "./months.ts";
import { reconcileCommand } from "./reconcile.ts";
import { distributeCommand } from "./distribute.ts";
import { restoreCommand, restoredCommand } from "./restore.ts";
import { seedCommand } from "./seed.ts";
import { verifyCommand } from "./verify.ts";
import { walletCheckCommand } from "./wallet-check.ts";
import { webhookCommands } from "./webhooks.ts";
import { erasePlayer } from "#evidence/erase-player";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import { migrate } from "#platform/db/migrate";
import { changeSetting } from "#approvals/change-setting";
import { selectSettings } from "#platform/db/setting-sql";
import { rebuildRollupDay, ROLLED_UP, selectRollupDays } from "#platform/rollups/rollup-sql";
import { setStopSwitch, startAgain } from "#stops/stop-switches";

const migrateCommand: Command = {
  name: "migrate",
  summary: "make the database if there is none, and bring its schema up to date",
  run: async (call) => {
    const db = await call.open("bare");
    const ran = await migrate(db);
    if (ran.length > 0) {
      await inTransaction(db, (tx) =>
        insertAudit(tx, call.actor, {
          action: "migrate",
          object_type: "installation",
          after: { migrations: ran },
        }),
      );
    }
    const line = ran.length === 0 ? "the schema is up to date" : `ran ${ran.join(", ")}`;
    return { json: { ran }, lines: [line] };
  },
};

const rollupsCommand: Command = {
  name: "rollups rebuild",
  summary:
    "count the rollups of lists again from their rows, a day at a time, beside a running server",
  run: async (call) => {
    const db = await call.open("current");
    const mended: Record<string, number> = {};
    for (const list of ROLLED_UP) {
      let wrong = 0;
      for (const day of await selectRollupDays(db, list)) {
        wrong += await inTransaction(db, (tx) => rebuildRollupDay(tx, list, day));
      }
      mended[list] = wrong;
    }
    const lines = Object.entries(mended).map(
      ([list, wrong]) => `${list}: ${wrong} rollups were wrong`,
    );
    return { json: { mended }, lines };
  },
};

const payoutCommands: readonly Command[] = [
  {
    name: "payouts hold",
    summary: "send nothing to the wallet until payouts are released",
    options: { reason: { value: "TEXT", help: "shown on every page of the console" } },
    run: async (call) => {
      await call.write(async (tx) => {
        const reason = await reasonOf(tx, call);
        await setStopSwitch(tx, call.actor, { name: "payouts" }, reason);
      });
      return {
        json: { held: true },
        lines: ["nothing is sent to the wallet any more; what is unknown is still asked about"],
      };
    },
  },
  {
    name: "payouts release",
    summary: "send payouts again, after a hold or a restore",
    options: REASON,
    run: async (call) =>
      await change(
        await call.open("current"),
        call,
        { route: stopSwitchRoutes.startPayouts, body: {} },
        (tx, { actor }) => startAgain(tx, actor, { name: "payouts" }),
        () => ({ json: { held: false }, lines: ["payouts are sent again"] }),
      ),
  },
];

const erasePlayerCommand: Command = {
  name: "players erase",
  summary: "erase a player's id and account everywhere but in backups; cannot be undone",
  positional: "account",
  options: {
    account: { value: "ACCOUNT", help: "the player's account", required: true },
    yes: { help: "really erase" },
    ...REASON,
  },
  run: async (call) => {
    if (!call.has("yes")) {
      throw new Error("this cannot be undone: add --yes to erase the player");
    }
    const body = { user_name: call.value("account") };
    return await change(
      await call.open("current"),
      call,
      { route: erasureRoutes.erase, body },
      (tx, { actor }) => erasePlayer(tx, actor, body.user_name),
      (json) => ({
        json,
        lines: [
          `erased; draws and payouts stay, under ${json.player_id}`,
          ...json.left.map(
            ({ place, rows }) => `rows of ${place} that may still name the player: ${rows}`,
          ),
        ],
      }),
    );
  },
};

const settingCommands: readonly Command[] = [
  {
    name: "config list",
    summary: "show the settings that operators change, and who changed them",
    run: async (call) => {
      const json = await selectSettings(await call.open("current"));
      const lines = json.map(({ key, value, changed_by }) => [key, value, changed_by ?? "default"]);
      return { json, lines: columns(["setting", "value", "changed by"], lines) };
    },
  },
  {
    name: "config set",
    summary: "change a setting; it holds from the next call on",
    positional: "key value",
    options: {
      key: { value: "KEY", help: SETTING_KEYS.join(", "), required: true },
      value: { value: "VALUE", help: "an amount, or on or off", required: true },
      ...REASON,
    },
    run: async (call) => {
      const [key, wanted] = [call.value("key"), call.value("value")];
      return await change(
        await call.open("current"),
        call,
        { route: settingRoutes.save, params: { key }, body: { value: wanted } },
        (tx, caller) => changeSetting(tx, caller, key, wanted),
        ({ value }) => ({ json: { key, value }, lines: [`${key} is ${value} now`] }),
      );
    },
  },
];

const configCommand: Command = {
  name: "config print",
  summary: "show the configuration in force, without its secrets",
  run: async ({ config }) => {
    const json = config.printable;
    return { json, lines: Object.entries(json).map(([name, value]) => `${name}=${value}`) };
  },
};

export const COMMANDS: readonly Command[] = [
  ...adminCommands,
  ...keyCommands,
  migrateCommand,
  seedCommand,
  verifyCommand,
  rollupsCommand,
  reconcileCommand,
  ...payoutCommands,
  erasePlayerCommand,
  ...monthCommands,
  ...webhookCommands,
  backupCommand,
  restoreCommand,
  restoredCommand,
  distributeCommand,
  walletCheckCommand,
  doctorCommand,
  configCommand,
  ...settingCommands,
];
