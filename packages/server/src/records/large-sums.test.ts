/** Totals that no JavaScript number can represent exactly: 9,100 rows of the largest amount exceed 2^53 cents. */
import { AMOUNT_CENTS_MAX, formatCents } from "@red/contract/platform/money";
import { betRoutes } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import { playerRoutes } from "@red/contract/chances/player";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { sheetRoutes } from "@red/contract/finance/sheet";
import { walletRoutes } from "@red/contract/payouts/wallet";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const ROWS = 9_100;
const SUM = formatCents(BigInt(AMOUNT_CENTS_MAX) * BigInt(ROWS));

let rounds_id: number;
let user_name: string;

beforeAll(async () => {
  const player = await makePlayer(t.db);
  ({ user_name } = player);
  const round = await makeRound(t.db, {
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value_cents: 100,
  });
  ({ rounds_id } = round);
  // Uses the business day of the round, which may differ from today.
  const { start_time: begin } = await rowOf(t.db, "activity", { id: rounds_id });
  const values = Array.from({ length: ROWS }, () => ({ award_price_cents: AMOUNT_CENTS_MAX }));
  await makeRecords(t.db, round, player, values);
  await t.sql`
    select ensure_month(name, date_trunc('month', ${begin}::timestamptz at time zone 'UTC')::date)
    from unnest(array['deposit', 'bet']) name`;
  await t.sql`
    insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
    select 1000000 + n, 'large-' || n, ${player.player_key}::bigint, ${AMOUNT_CENTS_MAX}::bigint,
      1, 1, ${begin}::timestamptz
    from generate_series(1, ${ROWS}::int) n`;
  await t.sql`
    insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
    select 1000000 + n, 'large-' || n, ${player.player_key}::bigint, ${AMOUNT_CENTS_MAX}::bigint,
      1234, ${begin}::timestamptz
    from generate_series(1, ${ROWS}::int) n`;
}, 60_000);

test("of deposits and bets are exact to the cent", async () => {
  const deposits = await app.read(depositRoutes.list, { body: { size: 1 } });
  expect(deposits).toMatchObject({ total: ROWS, depositTotal: SUM });
  const bets = await app.read(betRoutes.list, { body: { size: 1 } });
  expect(bets).toMatchObject({ total: ROWS, betlogTotal: SUM });
});

test("of records are exact to the cent, in the list, on the sheet and while they wait", async () => {
  const list = await app.read(recordRoutes.list, { query: { size: 1 } });
  expect(list).toMatchObject({ sums: [{ count: ROWS, amount: SUM }] });
  const sheet = await app.read(sheetRoutes.detail, { params: { id: rounds_id } });
  expect(sheet).toMatchObject({ drawn: { amount: SUM }, difference: { amount: "0.00" } });
  const { waiting } = await app.read(walletRoutes.health, {});
  expect(waiting).toEqual({ count: ROWS, amount: SUM });
});

test("of one player are exact to the cent", async () => {
  const day = await app.read(playerRoutes.info, { body: { player_name: user_name } });
  expect(day).toMatchObject({ vaildAmount: SUM, totalPrice1: SUM });
  const head = await app.read(playerViewRoutes.head, { query: { user_name } });
  expect(head).toMatchObject({ payouts: [{ amount: SUM }] });
  await app.read(playerViewRoutes.explain, { body: { user_name, rounds_id } });
});
