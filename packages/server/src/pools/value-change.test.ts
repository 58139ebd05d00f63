/** Checks on a real database what a change of rounds and prizes may cost (behaviour §16). */
import { parseDateTime } from "@red/contract/platform/datetime";
import { riskIn } from "#approvals/run-change";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { foldRollups } from "#platform/rollups/rollup-sql";
import { activityForm, OPERATOR, ZONE } from "#test/activity-factory";
import { makeExtraTime, makePlayer, makePool, makePrize, makeRecords } from "#test/factories";
import type { MadePlayer } from "#test/factories";
import { feed, eventOf, fresh, makeRound } from "#test/ingest-factory";
import { changeRows, rowOf } from "#test/rows";
import { clear, useTestDb } from "#test/test-db";
import { createActivity, updateActivity } from "#rounds/change-activity";
import { addStock, updatePrize } from "./change-prize.ts";
import { riskSince, valuePools } from "./value-change.ts";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / 1_000) * 1_000;
const at = (ms: number) => new Date(NOW + ms);
const text = (ms: number) =>
  new Date(NOW + ms + 8 * HOUR).toISOString().slice(0, 19).replace("T", " ");
const OPEN = { start_time: text(-HOUR), end_time: text(HOUR) };
const WINDOW = { achieve_start_time: text(-HOUR), achieve_end_time: text(HOUR) };

/** Runs a change and rolls it back. Returns its risk in yuan, and the part of the risk that needs a code. */
async function riskOf(change: (tx: Tx) => Promise<object>): Promise<[number, number]> {
  const undone = new Error("undone");
  let cents: [number, number] = [0, 0];
  const run = inTransaction(t.db, async (tx) => {
    const risk = riskIn(await change(tx));
    cents = [risk.cents / 100, risk.code_cents / 100];
    throw undone;
  });
  await expect(run).rejects.toBe(undone);
  return cents;
}

let pool_id = 0;
let rounds_id = 0;
let pool_name = "";

/** Creates a pool with 100,000 pieces of 1.00, and a round that gives a draw for each 1,200 of deposits. */
async function makeWorld(round: object = {}): Promise<void> {
  pool_id = await makePool(t.db);
  ({ pool_name } = await rowOf(t.db, "pool", { id: pool_id }));
  const values = Object.entries({ ...OPEN, ...WINDOW }).map(([key, value]) => [
    key,
    parseDateTime(value, ZONE),
  ]);
  rounds_id = await makeRound(t.db, {
    pool_id,
    condition_value_cents: 120_000,
    start_date: text(0).slice(0, 10),
    ...Object.fromEntries(values),
    ...round,
  });
  await changeRows(t.db, "prize", { pool_id }, { award_price_cents: 100, award_total: 100_000 });
}

const form = (changes: object = {}) =>
  activityForm({
    ...OPEN,
    ...WINDOW,
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "1200",
    condition_times: 1,
    pool_name,
    ...changes,
  });
const edit = (changes: object) =>
  riskOf((tx) => updateActivity(tx, OPERATOR, rounds_id, form(changes), ZONE));
const create = (changes: object = {}) =>
  riskOf((tx) =>
    createActivity(tx, OPERATOR, form({ rounds_name: fresh("new"), ...changes }), ZONE),
  );
const both = (yuan: number) => [yuan, yuan];

async function deposit(amount: string, ms = 0): Promise<MadePlayer> {
  const player_id = fresh("p");
  const player = await makePlayer(t.db, { player_id, user_name: `${player_id}-name` });
  await feed(t.db, "deposits", [eventOf("deposits", player_id, amount, at(ms).toISOString())]);
  return player;
}

beforeEach(async () => {
  await clear(t.db, "extra_time", "activity_rule", "activity", "prize", "pool_version", "pool");
  await clear(t.db, "deposit", "player", "rollup", "rollup_delta");
  await makeWorld();
});

test("a condition a hundredth as high costs what it grants, by the rows of now or of one of seven days", async () => {
  await deposit("2399.99");
  expect(await edit({ condition_value: "12" })).toEqual(both(198));
  await deposit("12000.00", -3 * DAY);
  expect(await edit({ condition_value: "12" })).toEqual(both(990));
  await deposit("60000.00", -8 * DAY);
  expect(await edit({ condition_value: "12" })).toEqual(both(990));
  expect(await edit({ condition_value: "120000" })).toEqual(both(0));
  expect(await edit({ rounds_name: "another" })).toEqual(both(0));
});

test("no limit counts everybody but blocked players, because exclusions end; removing a limit counts what it held back", async () => {
  await deposit("12000.00");
  const [blocked, excluded] = [await deposit("12000.00"), await deposit("12000.00")];
  await changeRows(t.db, "player", { player_key: blocked.player_key }, { blocked: true });
  await changeRows(
    t.db,
    "player",
    { player_key: excluded.player_key },
    { excluded_until: at(DAY) },
  );
  await makePlayer(t.db);
  await changeRows(t.db, "activity", { id: rounds_id }, { draws_max: 1 });
  expect(await edit({ draws_max: null })).toEqual(both(18));
  const none = {
    condition_name: "0",
    condition_formula: "0",
    condition_type: "0",
    condition_value: "0",
  };
  // Three days before, no player had earned a draw.
  expect(await edit({ ...none, condition_times: 5 })).toEqual(both(15));
});

const records = async (count: number, ms: number, id = rounds_id) => {
  const { pool_id: drawn } = await rowOf(t.db, "activity", { id });
  const { id: prize_id } = await rowOf(t.db, "prize", { pool_id: drawn });
  const rows = Array.from({ length: count }, (_, n) => ({
    created_at: at(ms + n),
    award_price_cents: 100,
  }));
  await makeRecords(
    t.db,
    { rounds_id: id, pool_id: drawn, prize_id },
    await makePlayer(t.db),
    rows,
  );
};

/**
 * Returns the number of draws ahead: the change makes each draw cost 2.00 instead of 1.00, so the
 * cost equals that number.
 */
async function ahead(): Promise<number> {
  await changeRows(t.db, "prize", { pool_id }, { weight: 1, award_total: 1_000_000 });
  const id = await makePrize(t.db, {
    pool_id,
    award_name: "two",
    weight: 0,
    award_price_cents: 200,
  });
  const prize = { award_name: "two", award_price: 200, award_total: 1_000_000, floors: 0 } as const;
  const [risk] = await riskOf((tx) =>
    updatePrize(tx, OPERATOR, id, { ...prize, weight: 999_999_999, pool_name }),
  );
  await t.db.deleteFrom("prize").where("id", "=", id).execute();
  return risk;
}

test("draws ahead go on until the end at the highest ten minutes of 28 days", async () => {
  expect(await ahead()).toBe(1_000);
  // The rest of the round is two hours and a second, with a tenth of the peak in each minute.
  await changeRows(t.db, "activity", { id: rounds_id }, { end_time: at(2 * HOUR) });
  const minute = Math.floor(Date.now() / 60_000) * 60_000 - NOW;
  await records(100, minute - 2 * HOUR - 60_000);
  await records(60, minute - 2 * HOUR + 8 * 60_000);
  await records(70, minute - 2 * HOUR + 9 * 60_000);
  const left = (2 * HOUR) / 1_000;
  const draws = (peak: number) => Math.ceil((peak * left) / 600);
  expect(await ahead()).toBeCloseTo(draws(160), -2);
  await inTransaction(t.db, foldRollups);
  expect(await ahead()).toBeCloseTo(draws(160), -2);
  await records(500, -29 * DAY);
  expect(await ahead()).toBeCloseTo(draws(160), -2);
  await changeRows(
    t.db,
    "activity",
    { id: rounds_id },
    { start_time: at(HOUR), end_time: at(2 * HOUR) },
  );
  expect(await ahead()).toBe(1_000);
});

test("a round without draws is expected to draw like its group's rounds", async () => {
  const pool = await makePool(t.db);
  const old = await makeRound(t.db, {
    pool_id: pool,
    end_time: at(-DAY),
    start_date: "2024-05-11",
  });
  await records(500, -2 * DAY, old);
  expect(await ahead()).toBeCloseTo(500 * 6, -2);
  await changeRows(t.db, "activity", { id: old }, { tag: "dragon" });
  expect(await ahead()).toBe(1_000);
});

test("draws ahead are at least the chances that players hold and have not drawn", async () => {
  const player = await deposit("6000000.00");
  expect(await ahead()).toBe(5_000);
  const { id: prize_id } = await rowOf(t.db, "prize", { pool_id });
  await makeRecords(t.db, { rounds_id, pool_id, prize_id }, player, [{}, {}, {}]);
  await makeExtraTime(t.db, { player_key: player.player_key });
  expect(await ahead()).toBe(4_998);
  await changeRows(t.db, "activity", { id: rounds_id }, { draws_max: 2_003 });
  expect(await ahead()).toBe(2_000);
});

test("goods count at their setting", async () => {
  const id = await makePrize(t.db, { pool_id, award_price_cents: 0, award_total: 9 });
  expect(await riskOf((tx) => addStock(tx, OPERATOR, id, 1))).toEqual(both(5_000));
  await t.sql`insert into setting (key, value, changed_by) values ('goods_value', '70.00', 'x')`;
  expect(await riskOf((tx) => addStock(tx, OPERATOR, id, 2))).toEqual(both(140));
  await t.sql`delete from setting`;
});

test("a new round on an unused pool counts beyond a usual day, and not for the code", async () => {
  const today = text(0).slice(0, 10);
  const used = pool_name;
  ({ pool_name } = await rowOf(t.db, "pool", { id: await makePool(t.db) }));
  pool_id = (await rowOf(t.db, "pool", { pool_name })).id;
  await makePrize(t.db, { pool_id, award_price_cents: 100, award_total: 30_000 });
  expect(await create()).toEqual([30_000, 0]);
  // On this day of the last 28 a round began with 8.88 × 10,000, by the pool version of that time.
  const pool = await makePool(t.db, { pool_name: "former" });
  const begun = {
    start_time: at(-5 * DAY),
    end_time: at(-4 * DAY),
    start_date: text(-5 * DAY).slice(0, 10),
  };
  const former = await makeRound(t.db, { pool_id: pool, ...begun });
  const { id } = await rowOf(t.db, "prize", { pool_id: pool });
  const prizes = JSON.stringify([{ id, award_price_cents: 100, award_total: 125_000 }]);
  await t.sql`insert into pool_version (pool_id, version, saved_by, created_at, prizes)
    values (${pool}, 1, 'x', ${at(-6 * DAY)}, ${prizes}::jsonb)`;
  await changeRows(t.db, "prize", { id }, { drawn: 1 });
  expect(await create()).toEqual([30_000, 0]);
  await records(1, -5 * DAY + HOUR, former);
  // The remaining stock of the other round of that day counts too.
  expect(await create()).toEqual([5_000, 0]);
  expect(await create({ start_time: text(2 * DAY), end_time: text(2 * DAY + HOUR) })).toEqual([
    0, 0,
  ]);
  const { id: other } = await rowOf(t.db, "prize", { award_total: 100_000 });
  await changeRows(t.db, "prize", { id: other }, { drawn: 20 });
  await records(20, -1_000);
  expect(await create()).toEqual([5_000, 0]);
  await changeRows(
    t.db,
    "activity",
    { id: rounds_id },
    { end_time: at(-2_000), deleted_at: at(0) },
  );
  const [{ start_date }] = [await rowOf(t.db, "activity", { id: rounds_id })];
  expect([await create(), start_date]).toEqual([[0, 0], today]);
  expect(used).not.toBe(pool_name);
});

test("a round that goes to a pool in use within a day after it was made costs as a new one", async () => {
  const used = pool_name;
  await makeWorld();
  const move = () => edit({ pool_name: used });
  expect(await move()).toEqual(await create({ pool_name: used }));
  expect(await move()).toEqual(both(1_000));
  await changeRows(t.db, "activity", { id: rounds_id }, { created_at: at(-DAY - HOUR) });
  expect(await move()).toEqual(both(0));
});

test("what two pools are worth more adds up", async () => {
  const first = pool_id;
  await makeWorld();
  const risk = await riskOf(async (tx) => {
    const before = await valuePools(tx, [first, pool_id], []);
    await changeRows(tx, "prize", {}, { award_total: 100_200 });
    return { risk: await riskSince(tx, before) };
  });
  expect(risk).toEqual(both(400));
});

test("the largest prizes are valued as the largest sum", async () => {
  const largest = { award_price_cents: 999_999_999_999, award_total: 1_000_000_000 };
  await changeRows(t.db, "prize", {}, largest);
  pool_id = await makePool(t.db);
  ({ pool_name } = await rowOf(t.db, "pool", { id: pool_id }));
  expect(await create()).toEqual([0, 0]);
  await makePrize(t.db, { pool_id, ...largest });
  expect(await create()).toEqual([Number.MAX_SAFE_INTEGER / 100, 0]);
});
