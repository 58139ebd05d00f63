/**
 * Acceptance from outside: plays a promotion through the documented calls only, shares no code with the
 * packages, and prints one line per claim. Status 1 when a claim fails.
 *
 *   tsx e2e/outside/calls.ts                        starts the system itself in a folder of its own
 *   tsx e2e/outside/calls.ts --base URL --admin NAME --password PW --redctl CMD --wallet-port N
 *                      --wallet-key K --wallet-secret S
 *                                            a new system whose WALLET_* name that port and key;
 *                                            redctl finds it by this process's environment
 *   options: --dir DIR (of the system), --start CMD, --redctl CMD, --seed N, --keep
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { claim, claimEqual, part, verdict } from "./claims.ts";
import { windowOf } from "./context.ts";
import type { Context, Signed } from "./context.ts";
import { drawAllChances, drawOnceInParallel, sellOut } from "./draws.ts";
import { changeChances, compareChances, compareEdges, feed, findExtraTimeUsed } from "./feed.ts";
import { operatorOf } from "./operator.ts";
import { tieOut } from "./payouts.ts";
import { platformOf } from "./platform.ts";
import { environmentOf, freePort, makeFolder, runRedctl, startSystem } from "./server.ts";
import { makeKey, setUp } from "./setup.ts";
import { signIn } from "./sign-in.ts";
import { startWallet } from "./wallet.ts";

const { values: options } = parseArgs({
  options: {
    base: { type: "string" },
    admin: { type: "string", default: "outside-op" },
    password: { type: "string" },
    dir: { type: "string", default: process.cwd() },
    start: { type: "string", default: "node tools/start.mjs" },
    redctl: { type: "string", default: "node tools/redctl.mjs" },
    seed: { type: "string" },
    keep: { type: "boolean", default: false },
    "wallet-port": { type: "string", default: "0" },
    "wallet-key": { type: "string", default: "wk_outside" },
    "wallet-secret": { type: "string" },
  },
});

async function run(context: Context, seed: number): Promise<void> {
  const window = windowOf(Date.now());
  const { token } = await signIn(context);
  const operator = operatorOf(context.base, token);
  const { rounds, scarce, wide } = await setUp(operator, window);
  const platform = platformOf(context.base, await makeKey(context));
  const signed: Signed = Object.assign(context, { operator, platform });

  await part("feeding and comparing chances", async () => {
    const fed = await feed(signed, window, seed);
    await compareEdges(signed, rounds, window);
    await compareChances(signed, rounds, fed, window);
    await changeChances(signed, rounds, fed, window);
  });
  await part("selling out", () => sellOut(signed, scarce));
  for (const round of rounds.filter(({ preset }) =>
    ["1,1,2", "3,2,1", "3"].includes(preset.code),
  )) {
    await part(`drawing "${round.name}"`, () => drawAllChances(signed, round));
  }
  await part("an extra time", () => findExtraTimeUsed(signed));
  await part("one request in parallel", () => drawOnceInParallel(signed, wide));
  await part("tying out", () => tieOut(signed));
  const verified = await context.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified);
}

async function main(): Promise<0 | 1> {
  const seed = Number(options.seed ?? randomBytes(4).readUInt32BE());
  process.stdout.write(`seed ${seed}\n`);
  const secret = options["wallet-secret"] ?? randomBytes(24).toString("hex");
  const key = options["wallet-key"];
  const wallet = await startWallet({ key, secret }, Number(options["wallet-port"]));
  const admin = {
    username: options.admin,
    password: options.password ?? randomBytes(12).toString("hex"),
  };
  const folder = makeFolder("outside");
  const port = await freePort();
  const base = options.base?.replace(/\/$/, "") ?? `http://127.0.0.1:${port}`;
  const environment = environmentOf(folder, port, admin, { url: wallet.url, key, secret });
  const isOurs = options.base === undefined;
  const context: Context = {
    base,
    admin,
    wallet,
    redctl: (args) => runRedctl(options.redctl, options.dir, isOurs ? environment : {}, args),
    system: null,
  };
  await part("the run", async () => {
    context.system = isOurs
      ? await startSystem(options.start, options.dir, environment, base, folder)
      : null;
    await run(context, seed);
  });
  if (context.system !== null) {
    const { code, ms } = await context.system.stop();
    claimEqual("SIGTERM ends it with status 0", code, 0);
    claim("within ten seconds", ms <= 10_000, `${ms} ms`);
  }
  wallet.stop();
  if (!options.keep) {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdict();
}

process.exit(await main());
