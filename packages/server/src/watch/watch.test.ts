/** Every figure of the overview and the boards equals a count by plain SQL. */
import { PAYOUT_STATES, STATE_FACTS } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { FIGURE_STATES, watchRoutes } from "@red/contract/watch/watch";
import type { Board, Overview } from "@red/contract/watch/watch";
import { makePlayer, makePool, makePrize, makeRecords, makeRound } from "#test/factories";
import { depositOf } from "#test/ingest-factory";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
let [rounds_id, pool_id] = [0, 0];

beforeAll(async () => {
  pool_id = await makePool(t.db);
  const times = { pool_id, start_time: ago(4_000), end_time: ago(-30) };
  const round = await makeRound(t.db, times);
  ({ rounds_id } = round);
  const gold = { award_name: "gold", award_price_cents: 500 };
  const goods = { award_name: "car", award_price_cents: 0 };
  await makePrize(t.db, { pool_id, ...gold, award_total: 40, drawn: 37 });
  const player = await makePlayer(t.db);
  const spread = [0.1, 3, 7.5, 12, 59.5, 61, 3_000].flatMap((minutes) =>
    PAYOUT_STATES.map((state) => {
      const prize = STATE_FACTS[state].isPhysical ? goods : gold;
      return { state, created_at: ago(minutes), ...prize };
    }),
  );
  await makeRecords(t.db, round, player, spread);
  await makeRecords(t.db, await makeRound(t.db, times), player, [{ created_at: ago(2), ...gold }]);
  const end_time = new Date("2024-04-30T16:00:00Z");
  const over = await makeRound(t.db, { start_time: end_time, end_time });
  await makeRecords(t.db, over, player, [{ state: "paid", created_at: end_time }]);
  await makeRound(t.db, { start_time: ago(-60) });
  const { player_id, user_name } = player;
  const now = { user_name, amount: "12.34", created_at: ago(0).toISOString() };
  await a.open("POST", "/open/v1/deposits", { deposits: [depositOf(player_id, now)] });
});

// The application checks its responses against the contract, so the cast is safe.
const board = async (activity: number) =>
  (await a.call(watchRoutes.board, { query: { activity } })).data as Board;

/** Counts outcomes by plain SQL over records `r` and payouts `p`. */
async function outcomes(where: string) {
  const { rows } = await sql<{ state: PayoutState; cents: number }>`
    select p.state, r.award_price_cents as cents from draw_record r join payout p on p.log_id = r.id
    where ${sql.raw(where)}`.execute(t.db);
  const of = (states: readonly PayoutState[]) => {
    const found = rows.filter(({ state }) => states.includes(state));
    const amount = formatCents(found.reduce((sum, { cents }) => sum + cents, 0));
    return { count: found.length, amount };
  };
  const by = Object.entries(FIGURE_STATES).map(([name, states]) => [name, of(states)] as const);
  return { drawn: of(PAYOUT_STATES), ...Object.fromEntries(by) };
}

const counted = async (where: string) => (await outcomes(where)).drawn;
const since = (text = "") => `r.created_at >= timestamp '${text}' at time zone 'Asia/Shanghai'`;

test("the overview counts open tasks, and today", async () => {
  const { data } = await a.call(watchRoutes.overview, {});
  const { needs, today, day, rounds } = data as Overview;
  const nothing = { count: 0, amount: "0.00" };
  expect(needs).toMatchObject({
    ...(await outcomes("true")),
    breaks: nothing,
    low_prizes: { count: 1, prizes: [{ award_name: "gold", award_price: "5.00", remaining: 3 }] },
    unsigned: [{ month: "2024-05", count: 1 }],
  });
  const events = { deposits: { count: 1, amount: "12.34" }, bets: nothing };
  expect(today).toEqual({ ...(await outcomes(since(day))), ...events });
  expect(rounds.map(({ phase }) => phase)).toEqual(["running", "running", "next"]);
  const ofToday = `r.rounds_id = ${rounds_id} and ${since(day)}`;
  expect(rounds[0]?.today).toEqual(await counted(ofToday));
});

test("the overview says what is stopped, and which pools", async () => {
  const read = async () => (await a.call(watchRoutes.overview, {})).data as Overview;
  expect((await read()).stopped).toEqual([]);
  await t.sql`insert into stop_switch (name, stopped_by) values ('draws', 'x'), ('payouts', 'x')`;
  await t.sql`insert into stop_switch (name, pool_id, stopped_by) values ('pool', ${pool_id}, 'x')`;
  const { stopped, rounds } = await read();
  await t.db.deleteFrom("stop_switch").execute();
  expect(stopped).toEqual(["draws", "payouts"]);
  expect(rounds.map(({ pool_gate }) => pool_gate)).toEqual(["pool_stopped", "pool_stopped", null]);
});

test("a board counts its round as the lists do, and forecasts when stock runs out", async () => {
  const { minutes, lately, prizes, at, ...rest } = await board(rounds_id);
  const of = `r.rounds_id = ${rounds_id}`;
  expect(rest).toMatchObject(await outcomes(of));
  expect(lately).toEqual(await counted(`${of} and ${since(minutes[0]?.minute)}`));
  expect(minutes.reduce((sum, { drawn }) => sum + drawn.count, 0)).toBe(lately.count);
  const gold = prizes.find(({ award_name }) => award_name === "gold");
  expect(gold?.drawn).toEqual(await counted(`${of} and r.award_name = 'gold'`));
  // Three pieces of gold are left, and both rounds draw gold more than once a minute. Nobody draws the other prizes.
  const both = await counted(`r.award_name = 'gold' and ${since(minutes[49]?.minute)}`);
  expect(gold?.lately).toBe(both.count);
  expect(Date.parse(gold?.runs_out_at ?? "") - Date.parse(at)).toBeLessThan(5 * 60_000);
  expect(prizes.filter(({ runs_out_at }) => runs_out_at !== null)).toEqual([gold]);
});

test("a board counts refused draw calls by reason, within two seconds", async () => {
  const round = await makeRound(t.db, { pool_id, end_time: ago(1) });
  const draw = { request_id: "late", rounds_id: round.rounds_id, player_id: "nobody" };
  await a.open("POST", "/open/v1/draws", draw);
  await a.open("POST", "/open/v1/draws/batch", { draws: [draw, { ...draw, rounds_id: 999_999 }] });
  await until("counted", async () => (await board(round.rounds_id)).refusals.length > 0);
  const { refusals, minutes } = await board(round.rounds_id);
  expect(refusals).toEqual([{ reason: "round_not_active", count: 2 }]);
  expect(minutes.reduce((sum, { refused }) => sum + refused, 0)).toBe(2);
});
