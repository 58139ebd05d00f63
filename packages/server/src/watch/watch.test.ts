/** The overview and boards: every figure is what plain SQL counts. */
import { recordRoutes } from "@red/contract/record";
import { FIGURE_STATES, watchRoutes } from "@red/contract/watch";
import type { Board, Figure, Overview } from "@red/contract/watch";
import { formatCents } from "@red/contract/money";
import { PAYOUT_STATES } from "@red/contract/lookups";
import { makePlayer, makePool, makePrize, makeRecords, makeRound } from "#test/factories";
import type { MadeRound, RecordValues } from "#test/factories";
import { depositOf } from "#test/ingest-factory";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const made: { running: MadeRound } = { running: { rounds_id: 0, pool_id: 0, prize_id: 0 } };

/** Each state at several times, two prizes and goods among them. */
function spread(): RecordValues[] {
  const times = [0.1, 3, 7.5, 12, 59.5, 61, 3_000].map(ago);
  return times.flatMap((created_at, at) =>
    PAYOUT_STATES.map((state, no) => {
      const isGoods = state === "waiting_delivery" || state === "delivered";
      const name = no % 2 === 0 ? "gold" : "silver";
      const price = isGoods ? 0 : no % 2 === 0 ? 500 : 50 + at;
      return { state, created_at, award_name: name, award_price_cents: price };
    }),
  );
}

beforeAll(async () => {
  const pool_id = await makePool(t.db, { pool_name: "tonight" });
  const times = { start_time: ago(4_000), end_time: ago(-30) };
  const running = await makeRound(t.db, { pool_id, ...times });
  await makePrize(t.db, {
    pool_id,
    award_name: "gold",
    award_price_cents: 500,
    award_total: 40,
    drawn: 37,
  });
  made.running = running;
  const player = await makePlayer(t.db);
  await makeRecords(t.db, running, player, spread());
  const neighbour = await makeRound(t.db, { pool_id, ...times });
  await makeRecords(t.db, neighbour, player, [
    { created_at: ago(2), award_name: "gold", award_price_cents: 500 },
  ]);
  for (const month of ["2024-04", "2024-05"]) {
    const end_time = new Date(`${month}-20T12:00:00Z`);
    const over = await makeRound(t.db, { start_time: new Date(`${month}-20T10:00:00Z`), end_time });
    await makeRecords(t.db, over, player, [{ state: "paid", created_at: end_time }]);
  }
  await makeRound(t.db, { start_time: ago(-60) });
  const { player_id, user_name } = player;
  const now = { amount: "12.34", created_at: ago(0).toISOString() };
  const deposit = depositOf(player_id, { user_name, ...now });
  await a.open("POST", "/open/v1/deposits", { deposits: [deposit] });
});

async function read<T>(route: typeof watchRoutes.overview | typeof watchRoutes.board, query = {}) {
  // A reading is shared for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  const { code, data } = await a.call(route as typeof watchRoutes.board, {
    query: query as { activity: number },
  });
  expect(code, JSON.stringify(data)).toBe(200);
  return data as T;
}

/** By plain SQL over records `r` and payouts `p`. */
async function counted(where: string, states: readonly string[] = PAYOUT_STATES): Promise<Figure> {
  const { rows } = await sql<{ count: number; cents: bigint }>`
    select count(*) as count, coalesce(sum(r.award_price_cents), 0) as cents
    from draw_record r join payout p on p.log_id = r.id
    where ${sql.raw(where)} and p.state = any(${states}::text[])`.execute(t.db);
  return { count: rows[0]?.count ?? -1, amount: formatCents(rows[0]?.cents ?? 0n) };
}

const { paid, open, closed, waiting, refused, unknown, check, goods } = FIGURE_STATES;
const local = (text: string) => `r.created_at >= timestamp '${text}' at time zone 'Asia/Shanghai'`;

describe("the overview", () => {
  test("counts what needs somebody, and today", async () => {
    const { needs, today, day, rounds, running } = await read<Overview>(watchRoutes.overview);
    expect(needs).toMatchObject({
      refused: await counted("true", refused),
      unknown: await counted("true", unknown),
      check: await counted("true", check),
      goods: await counted("true", goods),
      breaks: { count: 0, amount: "0.00" },
      low_prizes: { count: 1, prizes: [{ award_name: "gold", remaining: 3, award_total: 40 }] },
      unsigned: {
        count: 2,
        months: [
          { month: "2024-05", count: 1 },
          { month: "2024-04", count: 1 },
        ],
      },
    });
    expect(today).toEqual({
      drawn: await counted(local(day)),
      paid: await counted(local(day), paid),
      open: await counted(local(day), open),
      closed: await counted(local(day), closed),
      deposits: { count: 1, amount: "12.34" },
      bets: { count: 0, amount: "0.00" },
    });
    expect(running).toBe(2);
    expect(rounds.map(({ phase }) => phase)).toEqual(["running", "running", "next"]);
    const ofRound = `r.rounds_id = ${made.running.rounds_id}`;
    expect(rounds[0]).toMatchObject({
      drawn: await counted(ofRound),
      today: await counted(`${ofRound} and ${local(day)}`),
    });
  });
});

describe("a board", () => {
  test("counts its round as the lists do", async () => {
    const { rounds_id } = made.running;
    const board = await read<Board>(watchRoutes.board, { activity: rounds_id });
    const ofRound = `r.rounds_id = ${rounds_id}`;
    const lately = local(board.minutes[0]?.minute ?? "");
    expect(board).toMatchObject({
      drawn: await counted(ofRound),
      paid: await counted(ofRound, paid),
      open: await counted(ofRound, open),
      closed: await counted(ofRound, closed),
      waiting: await counted(ofRound, waiting),
      lately: await counted(`${ofRound} and ${lately}`),
      wallet: { trouble: null },
      stops: [],
    });
    expect(board.minutes.reduce((sum, { drawn }) => sum + drawn.count, 0)).toBe(board.lately.count);
    const busy = board.minutes.find(({ drawn }) => drawn.count > 0);
    const end_time = busy?.minute.replace(/00$/, "59");
    const filters = [
      [busy?.drawn, { rounds_id, start_time: busy?.minute, end_time }],
      [board.waiting, { rounds_id, payout_state: waiting.join(",") }],
      ...board.prizes.flatMap(({ drawn, drawn_prize }) =>
        drawn_prize === null ? [] : [[drawn, { rounds_id, drawn_prize }]],
      ),
    ] as const;
    expect(filters.length).toBeGreaterThanOrEqual(3);
    for (const [figure, query] of filters as unknown as [Figure, object][]) {
      const { data } = await a.call(recordRoutes.list, { query: { ...query, page: 1, size: 1 } });
      expect(data).toMatchObject({ total: figure.count });
    }
  });

  test("foresees when a prize runs out, by the draws of all rounds that share it", async () => {
    const { prizes, at } = await read<Board>(watchRoutes.board, {
      activity: made.running.rounds_id,
    });
    const gold = prizes.find(({ award_name }) => award_name === "gold");
    const { count } = await counted(
      "r.award_name = 'gold' and r.award_price_cents = 500 and r.created_at > now() - interval '10 minutes'",
    );
    expect(gold?.lately).toBe(count);
    // Three left at more than one a minute: within ten minutes, before the end in half an hour.
    const minutes = (Date.parse(gold?.runs_out_at ?? "") - Date.parse(at)) / 60_000;
    expect(minutes).toBeGreaterThan(0);
    expect(minutes).toBeLessThan(10);
    // Nobody draws the others.
    expect(prizes.filter(({ runs_out_at }) => runs_out_at !== null)).toEqual([gold]);
  });

  test("counts refused draw calls by reason, within two seconds", async () => {
    const { rounds_id } = await makeRound(t.db, {
      pool_id: made.running.pool_id,
      end_time: ago(1),
    });
    const draw = { request_id: "late", rounds_id, player_id: "nobody" };
    await a.open("POST", "/open/v1/draws", draw);
    await a.open("POST", "/open/v1/draws/batch", {
      draws: [draw, { ...draw, rounds_id: 999_999 }],
    });
    const board = () => read<Board>(watchRoutes.board, { activity: rounds_id });
    await until("counted", async () => (await board()).refusals.length > 0);
    const { refusals, minutes } = await board();
    expect(refusals).toEqual([{ reason: "round_not_active", count: 2 }]);
    expect(minutes.reduce((sum, one) => sum + one.refused, 0)).toBe(2);
    const rows = await t.db.selectFrom("draw_refusal_minute").select("rounds_id").execute();
    expect(new Set(rows.map((row) => row.rounds_id))).toEqual(new Set([rounds_id]));
  });

  test("is not found for a round that never was", async () => {
    const { code, data } = await a.call(watchRoutes.board, { query: { activity: 999_999 } });
    expect({ code, data }).toMatchObject({ data: null });
    expect(code).not.toBe(200);
  });
});
