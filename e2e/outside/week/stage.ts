/** The system of the week: its folder and wallet, and its move into another folder. */
import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { claim, claimEqual } from "../claims.ts";
import { shown, windowOf } from "../context.ts";
import type { Context } from "../context.ts";
import { dig, parsed } from "../json.ts";
import { operatorOf } from "../operator.ts";
import { platformOf } from "../platform.ts";
import { makeKey } from "../setup.ts";
import { signIn } from "../sign-in.ts";
import { openSystem } from "../stage.ts";
import type { Week } from "./books.ts";

/** Runs a command that must succeed; answers its JSON. */
async function run({ redctl }: Context, args: string): Promise<unknown> {
  const { code, out, err } = await redctl(`${args} --json`);
  claim(`redctl ${args.split(" ")[0]} ends with status 0`, code === 0, `${out}${err}`);
  return parsed(out);
}

export async function openWeek() {
  const { context, folder, environment, start, close } = await openSystem("week");

  /** As in docs/operations.md, after the loss of the database's folder. */
  async function restore(): Promise<void> {
    const made = shown(Date.now() - 60_000);
    const file = path.join(folder, "week.backup");
    await run(context, `backup ${file}`);
    await context.system.stop();
    const [old, fresh] = [path.join(folder, "data"), path.join(folder, "fresh")];
    // Into the embedded database, whatever held it before.
    Object.assign(environment, { DATA_DIR: fresh, DATABASE_URL: "" });
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
    operator: operatorOf(context.base, token),
    token,
    authenticator,
    platform: platformOf(context.base, await makeKey(context.redctl, "week")),
    window: windowOf(Date.now()),
    rounds: [],
    heard: new Map<number, Map<string, string>>(),
    restore,
  });
  return { week, close };
}
