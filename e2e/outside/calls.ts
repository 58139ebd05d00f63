/**
 * Acceptance from outside: chances and draws of random players through the documented calls only. Shares no code with
 * the packages.
 */
import { claim, claimEqual, part } from "./claims.ts";
import type { Context, Signed } from "./context.ts";
import { drawAllChances } from "./draws.ts";
import { userName } from "./chances/feeding.ts";
import { proveChances } from "./chances/prove.ts";
import { EXTRA_TAG } from "./chances/scene.ts";
import { dig, listAt } from "./json.ts";
import { operatorOf } from "./operator.ts";
import { platformOf } from "./platform.ts";
import { prove, SEED } from "./proof.ts";
import { makeKey } from "./setup.ts";
import { signIn } from "./sign-in.ts";
import { openSystem } from "./stage.ts";

/** `npm run prove -- chances` plays it with more. */
const PLAYERS = Number(process.env["PROVE_N"] ?? 24);
/** Number of players who draw. */
const DRAWING = Math.min(PLAYERS, 60);

/** The first player had two extra times, for rounds of one group. */
async function findExtraTimesUsed({ operator }: Signed): Promise<void> {
  const query = `user_name=${userName(0)}&page=1&size=20`;
  const list = await operator.data("GET", `/gred/api/extratimes/list?${query}`, null);
  const seen = listAt(list, "content").map((row) => dig(row, "apply"));
  claimEqual("the draws have used the extra times", seen, [1, 1]);
}

async function run(context: Context): Promise<void> {
  const { token } = await signIn(context);
  const operator = operatorOf(context.base, token);
  const platform = platformOf(context.base, await makeKey(context.redctl, "outside"));
  const signed: Signed = Object.assign(context, { operator, platform });

  await part("chances and draws", async () => {
    const { rounds } = await proveChances(signed, PLAYERS, SEED);
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

await prove("outside", async () => {
  const { context, close } = await openSystem("outside");
  await run(context);
  await close();
});
