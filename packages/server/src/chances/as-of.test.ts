/**
 * Answers about a past time must equal the answers that the system gave at that time. Runs random actions, notes live
 * answers in between, and asks for them again at the end. `npm run prove -- as-of` checks 10,000 answers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { formatDateTime } from "@red/contract/platform/datetime";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { lookBack } from "./as-of-sql.ts";
import { chanceMemory, chanceReader } from "./chance-reader.ts";
import { excludePlayers, liftExclusion } from "#players/exclude-players";
import { selectInForce } from "#players/exclusion-sql";
import { selectExplanation } from "./explanation-sql.ts";
import { toExplanation } from "./explanation.ts";
import { selectClock } from "#players/extra-time-sql";
import { grantExtraTimes } from "#players/grant-extra-times";
import { selectPlayerByName } from "#players/player-sql";
import { takeBackExtraTimes } from "#players/take-back-extra-times";
import { drawQueue } from "#draws/draw-queue";
import { inOneView, inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { createActivity, pauseActivity, updateActivity } from "#rounds/change-activity";
import { setStopSwitch, startAgain } from "#stops/stop-switches";
import { createPrize } from "#pools/change-prize";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { diceOf } from "#test/dice";
import { drawOnce } from "#test/draw-factory";
import { makeExtraTime } from "#test/factories";
import { betOf, depositOf, feed, fresh, takeBack } from "#test/ingest-factory";
import { changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { selectRound } from "#rounds/activity-sql";
import { expect, test } from "vitest";

const CASES = Number(process.env["PROVE_N"] ?? 40);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);
const MINUTE = 60_000;
const READING = { timeZone: ZONE, language: "en" } as const;
const RULES = [
  { condition_name: "0", condition_formula: "0", condition_type: "0", condition_value: "0" },
  { condition_name: "2", condition_formula: "1", condition_type: "2", condition_value: "120" },
  { condition_name: "2", condition_formula: "3", condition_type: "1", condition_value: "150" },
  { condition_name: "1", condition_formula: "3", condition_type: "2", condition_value: "40" },
  { condition_name: "3", condition_formula: "0", condition_type: "0", condition_value: "0" },
] as const;

const t = useTestDb();
const app = useTestApp(t);
const text = (ms: number) => formatDateTime(new Date(ms), ZONE);
const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(t.db, work);

const { below, oneOf } = diceOf(SEED);

/** Windows and draw times are near the current time, so some begin or end during the test. */
function formOf(pool_name: string, rounds_name: string) {
  const now = Date.now();
  const rule = oneOf(RULES);
  return activityForm({
    ...rule,
    pool_name,
    rounds_name,
    tag: oneOf(["weekend", "dragon"]),
    condition_times: 1 + below(3),
    draws_max: oneOf([null, 2, 4]),
    day_draws_max: oneOf([null, 3, 5]),
    platforms: rule.condition_name === "1" ? oneOf([null, ["2234", "5234"]]) : null,
    achieve_start_time: text(now - (20 + below(60)) * MINUTE),
    achieve_end_time: text(now + oneOf([-5 * MINUTE, 2_000, 3_000, 30 * MINUTE])),
    start_time: text(now + oneOf([-40 * MINUTE, -20 * MINUTE, 2_000])),
    end_time: text(now + oneOf([3_000, 60 * MINUTE, 60 * MINUTE])),
  });
}

async function makeWorld() {
  const pool_name = fresh("pool");
  const prize = prizeForm({ pool_name, award_total: 1_000_000 });
  await write((tx) => createPrize(tx, OPERATOR, prize));
  const names = [1, 2, 3, 4].map(() => fresh("round"));
  const makes = names.map((name) =>
    write(
      async (tx) => (await createActivity(tx, OPERATOR, formOf(pool_name, name), ZONE)).data.id,
    ),
  );
  const players = [1, 2, 3, 4, 5, 6].map(() => fresh("p"));
  const rows = players.map((player_id) => ({ player_id, user_name: `${player_id}-name` }));
  await feed(t.db, "players", rows);
  return { pool_name, names, rounds: await Promise.all(makes), players };
}

/** Actions that change what a player may draw. A rejected action changes nothing, which is fine too. */
function actsOf({ pool_name, names, rounds, players }: Awaited<ReturnType<typeof makeWorld>>) {
  const queue = drawQueue(t.db);
  const sent: (ReturnType<typeof depositOf> | ReturnType<typeof betOf>)[] = [];
  const tagOf = () => oneOf(["weekend", "dragon"]);
  const accountOf = () => `${oneOf(players)}-name`;
  const soon = () => text(Date.now() + oneOf([2_000, 3_000, 45 * MINUTE]));
  const arrive = async () => {
    const created_at = new Date(Date.now() - (below(100) - 5) * MINUTE).toISOString();
    const amount = `${20 + below(200)}.${10 + below(90)}`;
    const deposit = depositOf(oneOf(players), { amount, created_at });
    const platform = oneOf([1234, 2234, 5234]);
    const bet = betOf(oneOf(players), { valid_bet_amount: amount, created_at, platform });
    sent.push(deposit, bet);
    // Sends some stored rows again; their arrival time must not change.
    const last = sent.slice(-5);
    const bets = last.filter((row) => "bet_no" in row);
    const deposits = last.filter((row) => "order_no" in row);
    await feed(t.db, "deposits", deposits);
    await feed(t.db, "bets", bets);
  };
  const reverse = () =>
    takeBack(t.db, sent.splice(below(sent.length), 1), { reason: "chargeback" });
  const draw = () => drawOnce(queue, oneOf(rounds), oneOf(players));
  const grant = () => {
    const list = { user_names: [accountOf()] };
    const terms = { tag: tagOf(), expire_time: soon() };
    return write((tx) => grantExtraTimes(tx, OPERATOR, list, terms, READING));
  };
  const takeGrantBack = async () => {
    const granted = await t.db.selectFrom("extra_time").select("id").execute();
    await write((tx) => takeBackExtraTimes(tx, OPERATOR, oneOf(granted), "by mistake"));
  };
  const edit = () => {
    const at = below(rounds.length);
    const form = formOf(pool_name, names[at] ?? "");
    return write((tx) => updateActivity(tx, OPERATOR, rounds[at] ?? 0, form, ZONE));
  };
  const pause = () =>
    write((tx) => pauseActivity(tx, OPERATOR, oneOf(rounds), below(3) > 0 ? 1 : 0));
  const stop = async () => {
    const { pool_id } = await rowOf(t.db, "activity", { id: oneOf(rounds) });
    const all = [{ name: "draws" }, { name: "everything" }, { name: "pool", pool_id }] as const;
    const [target, isStart] = [oneOf(all), below(3) > 0];
    await write(async (tx) => {
      await (isStart
        ? startAgain(tx, OPERATOR, target)
        : setStopSwitch(tx, OPERATOR, target, null));
    });
  };
  const block = () => {
    const player_id = oneOf(players);
    const row = { player_id, user_name: `${player_id}-name`, blocked: below(3) === 0 };
    return feed(t.db, "players", [row]);
  };
  const exclude = async () => {
    const user_name = accountOf();
    const player = await selectPlayerByName(t.db, user_name);
    const [lasting] = await selectInForce(t.db, [player?.player_key ?? 0]);
    const until = oneOf([null, soon()]);
    const row = { user_name, kind: oneOf(["self", "risk"] as const), reason: "asked", until };
    await write(async (tx) => {
      await (lasting === undefined
        ? excludePlayers(tx, OPERATOR, [row], "operator", READING)
        : liftExclusion(tx, OPERATOR, lasting.id, "over"));
    });
  };
  const often = [arrive, arrive, arrive, reverse, draw, draw, draw, draw, grant, grant];
  return [...often, arrive, grant, takeGrantBack, edit, pause, stop, block, exclude];
}

async function explain(rounds_id: number, player_id: string, at: Date | null) {
  return await inOneView(t.db, async (view) => {
    await (at && lookBack(view, at));
    const now = await selectClock(view);
    expect(at ?? now).toEqual(now);
    const round = await selectRound(view, rounds_id);
    const player = await selectPlayerByName(view, `${player_id}-name`);
    if (round === null || player === null) {
      throw new Error("the round and the player are there");
    }
    const found = await selectExplanation(view, round, player, ZONE);
    return { player, answer: toExplanation(found, (when) => when.toISOString(), "en") };
  });
}

test("support asks as of a second: late rows, rows without arrival, and times without an answer", async () => {
  const now = Date.now();
  const ago = (minutes: number) => new Date(now - minutes * MINUTE);
  const asOf = (minutes: number) => text(ago(minutes).getTime());
  const { pool_name } = await makeWorld();
  const form = activityForm({
    ...RULES[1],
    pool_name,
    rounds_name: fresh("round"),
    start_time: asOf(1),
    end_time: asOf(-1),
    achieve_start_time: asOf(60),
    achieve_end_time: asOf(-1),
  });
  const rounds_id = await write(
    async (tx) => (await createActivity(tx, OPERATOR, form, ZONE)).data.id,
  );
  const player_id = fresh("p");
  const [late, old] = [
    depositOf(player_id, { amount: "130.00", created_at: ago(20).toISOString() }),
    depositOf(player_id, { amount: "250.00", created_at: ago(15).toISOString() }),
  ];
  await feed(t.db, "deposits", [late, old]);
  await changeRows(t.db, "deposit", { order_no: late.order_no }, { received_at: ago(10) });
  await changeRows(t.db, "deposit", { order_no: old.order_no }, { received_at: null });
  expect(await feed(t.db, "deposits", [late])).toMatchObject({ duplicates: 1 });
  const ask = async (as_of?: string) =>
    await app.call(playerViewRoutes.explain, {
      body: { user_name: `${player_id}-name`, rounds_id, as_of },
    });

  expect(await ask(asOf(12))).toMatchObject({ key: "as_of_before_round" });
  await changeRows(t.db, "activity_rule", {}, { created_at: ago(30) });
  expect(await ask(asOf(12))).toMatchObject({ key: "as_of_before_player" });
  await changeRows(t.db, "player", {}, { created_at: ago(30) });
  expect(await ask(text(Date.now() + 2_000))).toMatchObject({ key: "as_of_not_past" });
  const before = { no: old.order_no, received_at: null, is_late: false };
  const after = { no: late.order_no, received_at: asOf(10), is_late: true };
  expect(await ask()).toMatchObject({ data: { total: 3, rows: [before, after] } });
  const known = { as_of: asOf(12), unknown: ["arrival", "blocked", "sold_out"] };
  expect(await ask(asOf(12))).toMatchObject({
    data: { known, total: 2, rows: [before], gates: ["not_started"] },
  });
  expect(await ask(asOf(9))).toMatchObject({ data: { total: 3 } });
  const all = { as_of: asOf(16), unknown: ["blocked", "sold_out"] };
  expect(await ask(asOf(16))).toMatchObject({ data: { known: all, total: 0, reason: "no_rows" } });
  // The stock of the past is not known, but the start of a block still in force is.
  await changeRows(t.db, "player", { player_id }, { blocked: true, blocked_at: ago(17) });
  await t.sql`update prize set drawn = award_total`;
  expect(await ask()).toMatchObject({
    data: { gates: expect.arrayContaining(["blocked", "sold_out"]) },
  });
  expect(await ask(asOf(16))).toMatchObject({
    data: { known: { unknown: ["sold_out"] }, gates: ["blocked", "not_started"] },
  });
});

test("the second in which something ends still belongs to it", async () => {
  const end = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3 * MINUTE);
  const at = (seconds: number) => new Date(end.getTime() + seconds * 1_000);
  const { pool_name } = await makeWorld();
  const form = formOf(pool_name, fresh("round"));
  const rule = { ...RULES[1], tag: "weekend", draws_max: null, day_draws_max: null };
  const body = { ...form, ...activityForm({ ...rule, pool_name }) };
  const { data } = await write((tx) => createActivity(tx, OPERATOR, body, ZONE));
  const rounds_id = data.id;
  const times = { start_time: at(-60), achieve_end_time: end, end_time: end };
  await t.sql`update activity_rule set created_at = ${at(-90)},
    rule = rule || ${JSON.stringify(times)}::jsonb where rounds_id = ${rounds_id}`;
  const player_id = fresh("p");
  const user_name = `${player_id}-name`;
  await feed(t.db, "players", [{ player_id, user_name }]);
  const { player_key } = await rowOf(t.db, "player", { player_id });
  await changeRows(t.db, "player", { player_id }, { created_at: at(-90) });
  const row = { user_name, kind: "self" as const, reason: "asked", until: null };
  await write((tx) => excludePlayers(tx, OPERATOR, [row], "operator", READING));
  await changeRows(t.db, "exclusion", { player_key }, { made_at: at(-90), until: end });
  await makeExtraTime(t.db, { player_key, expire_time: end, created_at: at(-90) });
  const ask = async (seconds: number) => {
    const body = { user_name, rounds_id, as_of: text(at(seconds).getTime()) };
    return await app.read(playerViewRoutes.explain, { body });
  };
  const exclusion = { kind: "self", until: text(end.getTime()) };
  const standing = { exclusion, total: 1, extras: [{ use: "unused" }], missing: "120.00" };
  expect(await ask(-61)).toMatchObject({ ...standing, gates: ["excluded", "not_started"] });
  expect(await ask(-60)).toMatchObject({ ...standing, gates: ["excluded"] });
  expect(await ask(0)).toMatchObject({ ...standing, gates: ["excluded"] });
  const over = { exclusion: null, total: 0, extras: [{ use: "expired" }], missing: null };
  expect(await ask(1)).toMatchObject({ ...over, gates: ["ended"] });
});

// Runs last, because the stops of this test stay in the history of this database.
test(`as-of answers are what was answered live, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const reader = chanceReader(t.db, chanceMemory());
  const noted: { ask: [number, string]; at: Date; live: object & { gates: string[] } }[] = [];
  while (noted.length < CASES) {
    const world = await makeWorld();
    const acts = actsOf(world);
    const end = Math.min(CASES, noted.length + 2_000);
    for (let act = 0; noted.length < end; act += 1) {
      await (acts[act] ?? oneOf(acts))().catch((refusal: unknown) => refusal);
      // Times are compared to the millisecond.
      await sleep(2);
      for (let asked = 0; asked < 4; asked += 1) {
        const ask: [number, string] = [oneOf(world.rounds), oneOf(world.players)];
        const at = await selectClock(t.db);
        const { answer: live } = await explain(...ask, null);
        const { total, already, remain, limited_by } = live;
        const chances = await reader.read(...ask);
        const after = await selectClock(t.db);
        // Everything begins or ends at a full second, so an answer is not unique if a second ends during the reads.
        if (Math.floor(at.getTime() / 1_000) === Math.floor(after.getTime() / 1_000)) {
          expect(chances).toMatchObject({ total, already, remain, limited_by });
          noted.push({ ask, at, live });
        }
      }
    }
  }
  for (const { ask, at, live } of noted) {
    const { player, answer } = await explain(...ask, at);
    // A block that has ended since then is no longer known.
    const gates = live.gates.filter((gate) => gate !== "blocked" || player.blocked);
    expect(answer, `${ask.join()} as of ${at.toISOString()}`).toEqual({ ...live, gates });
  }
});
