/**
 * Acceptance from outside: chances and draws of random players through the documented calls only. Shares no code with
 * the packages, and prints one line per claim. Status 1 when a claim fails.
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
import type { Context, Signed } from "./context.ts";
import { drawAllChances } from "./draws.ts";
import { userName } from "./chances/feeding.ts";
import { proveChances } from "./chances/prove.ts";
import { EXTRA_TAG } from "./chances/scene.ts";
import { dig, listAt } from "./json.ts";
import { operatorOf } from "./operator.ts";
import { platformOf } from "./platform.ts";
import { environmentOf, freePort, makeFolder, runRedctl, startSystem } from "./server.ts";
import { makeKey } from "./setup.ts";
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

/** `npm run prove -- chances` plays it with more. */
const PLAYERS = Number(process.env["PROVE_N"] ?? 24);
/** So many of them draw. */
const DRAWING = Math.min(PLAYERS, 60);

/** The first player had two extra times, for rounds of one group. */
async function findExtraTimesUsed({ operator }: Signed): Promise<void> {
  const query = `user_name=${userName(0)}&page=1&size=20`;
  const list = await operator.data("GET", `/gred/api/extratimes/list?${query}`, null);
  const seen = listAt(list, "content").map((row) => dig(row, "apply"));
  claimEqual("the draws have used the extra times", seen, [1, 1]);
}

async function run(context: Context, seed: number): Promise<void> {
  const { token } = await signIn(context);
  const operator = operatorOf(context.base, token);
  const platform = platformOf(context.base, await makeKey(context.redctl, "outside"));
  const signed: Signed = Object.assign(context, { operator, platform });

  await part("chances and draws", async () => {
    const { rounds } = await proveChances(signed, PLAYERS, seed);
    const first = rounds.filter(({ window }) => window === rounds[0]?.window);
    const granted = rounds.find(({ tag, preset }) => tag === EXTRA_TAG && preset.code === "3");
    const some = first.filter(({ preset }) => ["1,1,2", "3,2,1"].includes(preset.code));
    for (const round of granted === undefined ? some : [...some, granted]) {
      await drawAllChances(signed, round, DRAWING);
    }
    await findExtraTimesUsed(signed);
  });
  const verified = await context.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified);
}

async function main(): Promise<0 | 1> {
  const seed = Number(options.seed ?? process.env["PROVE_SEED"] ?? randomBytes(4).readUInt32BE());
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
