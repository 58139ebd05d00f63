/** The system of the week: its folder and wallet, and its move into another folder. */
import { randomBytes } from "node:crypto";
import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { claim, claimEqual } from "../claims.ts";
import { shown, windowOf } from "../context.ts";
import type { Context } from "../context.ts";
import { dig, parsed } from "../json.ts";
import { operatorOf } from "../operator.ts";
import { platformOf } from "../platform.ts";
import { environmentOf, freePort, makeFolder, runRedctl, startSystem } from "../server.ts";
import { makeKey } from "../setup.ts";
import { signIn } from "../sign-in.ts";
import { startWallet } from "../wallet.ts";
import type { Week } from "./books.ts";

const START = "node tools/start.mjs";
const REDCTL = "node tools/redctl.mjs";

/** Runs a command that must succeed; answers its JSON. */
async function run({ redctl }: Context, args: string): Promise<unknown> {
  const { code, out, err } = await redctl(`${args} --json`);
  claim(`redctl ${args.split(" ")[0]} ends with status 0`, code === 0, `${out}${err}`);
  return parsed(out);
}

export async function openWeek(root: string) {
  const key = { key: "wk_week", secret: randomBytes(24).toString("hex") };
  const wallet = await startWallet(key, 0);
  const admin = { username: "week-op", password: randomBytes(12).toString("hex") };
  const folder = makeFolder("week");
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  let environment = environmentOf(folder, port, admin, { url: wallet.url, ...key });
  const start = () => startSystem(START, root, environment, base, folder);
  const context: Context = {
    base,
    admin,
    wallet,
    redctl: (args) => runRedctl(REDCTL, root, environment, args),
    system: await start(),
  };

  /** As in docs/operations.md, after the loss of the database's folder. */
  async function restore(): Promise<void> {
    const made = shown(Date.now() - 60_000);
    const file = path.join(folder, "week.backup");
    await run(context, `backup ${file}`);
    await context.system?.stop();
    const [old, fresh] = [path.join(folder, "data"), path.join(folder, "fresh")];
    // Into the embedded database, whatever held it before.
    environment = { ...environment, DATA_DIR: fresh, DATABASE_URL: "" };
    await run(context, `restore ${file}`);
    copyFileSync(path.join(old, "secret-key"), path.join(fresh, "secret-key"));
    rmSync(old, { recursive: true, force: true });
    await run(context, "verify");
    context.system = await start();
    const compared = await run(context, `reconcile --from "${made}"`);
    claimEqual("nothing was paid since the backup", dig(compared, "breaks"), 0);
    await run(context, "payouts release");
  }

  const { token, authenticator } = await signIn(context);
  const week: Week = Object.assign(context, {
    operator: operatorOf(base, token),
    token,
    authenticator,
    platform: platformOf(base, await makeKey(context.redctl, "week")),
    window: windowOf(Date.now()),
    rounds: [],
    heard: new Map<number, Map<string, string>>(),
    restore,
  });
  return {
    week,
    /** `keep` leaves its data. */
    close: async (keep: boolean) => {
      claimEqual("SIGTERM ends it with status 0", (await context.system?.stop())?.code, 0);
      wallet.stop();
      if (!keep) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
