/**
 * The week of operation (behaviour §13), the lines that need no screen: one run against a system that
 * it starts itself, through the documented calls only. Prints one line per claim, as outside.ts does;
 * status 1 when one does not hold.
 *
 *   tsx e2e/week.ts [--dir DIR] [--keep]
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { claimEqual, part, verdict } from "./outside/claims.ts";
import { windowOf } from "./outside/context.ts";
import type { Context } from "./outside/context.ts";
import { operatorOf } from "./outside/operator.ts";
import { platformOf } from "./outside/platform.ts";
import { environmentOf, freePort, makeFolder, runRedctl, startSystem } from "./outside/server.ts";
import { makeKey, makePool } from "./outside/setup.ts";
import { signIn } from "./outside/sign-in.ts";
import { startWallet } from "./outside/wallet.ts";
import type { Week } from "./week/books.ts";
import { blockAndClose } from "./week/friday.ts";
import { openGate } from "./week/gate.ts";
import type { Gate } from "./week/gate.ts";
import { copyLastWeek } from "./week/monday.ts";
import { closeMonth } from "./week/month-end.ts";
import { grantWeekend } from "./week/saturday.ts";
import { pauseAndDeliver } from "./week/sunday.ts";
import { outliveOutage } from "./week/thursday.ts";
import { refillAndMend } from "./week/tuesday.ts";
import { reverseDeposits } from "./week/wednesday.ts";

const { values: options } = parseArgs({
  options: {
    dir: { type: "string", default: process.cwd() },
    keep: { type: "boolean", default: false },
  },
});

const MONEY = [
  { award_name: "0.88元红包", award_price: "0.88", weight: 700, award_total: 10_000, floors: 1 },
  { award_name: "8.88元红包", award_price: "8.88", weight: 250, award_total: 10_000, floors: 0 },
  { award_name: "88.08元红包", award_price: "88.08", weight: 50, award_total: 10_000, floors: 0 },
] as const;

const WITH_GOODS = [
  ...MONEY,
  { award_name: "保温杯", award_price: "0.00", weight: 100, award_total: 10_000, floors: 0 },
] as const;

/** The days in their order; each needs what the ones before it made. */
async function live(context: Context, gate: Gate): Promise<void> {
  const token = await signIn(context);
  const operator = operatorOf(context.base, token);
  const platform = platformOf(context.base, await makeKey(context));
  await makePool(operator, "周中池", MONEY);
  await makePool(operator, "周末池", WITH_GOODS);
  const window = windowOf(Date.now());
  const week: Week = Object.assign(context, {
    operator,
    platform,
    token,
    gate,
    window,
    rounds: [],
    heard: new Map(),
  });
  const { tonight, isUnchanged } = await copyLastWeek(week);
  await part("Tuesday", () => refillAndMend(week, tonight));
  await isUnchanged("after tonight's round");
  await part("Wednesday", () => reverseDeposits(week));
  await part("Thursday", () => outliveOutage(week));
  await part("Friday", () => blockAndClose(week));
  const weekend = await grantWeekend(week);
  await part("Sunday", () => pauseAndDeliver(week, weekend));
  await isUnchanged("at the end of the week");
  await part("the end of the month", () => closeMonth(week));
}

async function main(): Promise<0 | 1> {
  const secret = randomBytes(24).toString("hex");
  const key = "wk_week";
  const wallet = await startWallet({ key, secret }, 0);
  const gate = await openGate(wallet.url);
  const admin = { username: "week-op", password: randomBytes(12).toString("hex") };
  const folder = makeFolder("week");
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const environment = environmentOf(folder, port, admin, { url: gate.url, key, secret });
  const context: Context = {
    base,
    admin,
    wallet,
    redctl: (args) => runRedctl("node tools/redctl.mjs", options.dir, environment, args),
    restart: null,
    system: null,
  };
  await part("the week", async () => {
    context.system = await startSystem(
      "node tools/start.mjs",
      options.dir,
      environment,
      base,
      folder,
    );
    await live(context, gate);
  });
  if (context.system !== null) {
    claimEqual("SIGTERM ends it with status 0", (await context.system.stop()).code, 0);
  }
  gate.shut();
  wallet.stop();
  if (!options.keep) {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdict();
}

process.exit(await main());
