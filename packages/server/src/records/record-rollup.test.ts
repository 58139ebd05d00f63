import { PAYOUT_STATES, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { selectMiscountedRollup } from "#evidence/verify-rollups-sql";
import { inTransaction } from "#platform/db/connection";
import { selectExtraTimes } from "#players/extra-time-sql";
import {
  foldRollups,
  rebuildRollupDay,
  ROLLED_UP,
  selectRollupDays,
} from "#platform/rollups/rollup-sql";
import { diceOf } from "#test/dice";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { RecordMatch } from "./record-filter.ts";
import { selectRecords, selectStateSums, sumsByStatus } from "./record-sql.ts";

const t = useTestDb();
const NAMES = ["8.88 Red packet", "88.88 red packet", "Phone", "phone case", "50%_off"];
const PRICES = [0, 888, 888, 8888];
const STATES: readonly PayoutState[] = ["paid", "paid", "paid", "queued", "refused", "closed"];
const FIRST_MS = Date.parse("2026-11-20T22:59:58Z");

let rounds: MadeRound[];
let player: MadePlayer;
let drawn: readonly NonNullable<RecordMatch["drawn"]>[];

const { below, oneOf } = diceOf(1);
/** Times are dense at first, then spread over three days. */
const someInstant = () =>
  new Date(FIRST_MS + below(oneOf([3_000, 200_000, 7_200_000, 259_200_000])));

async function draw(count: number): Promise<void> {
  const round = oneOf(rounds);
  const values = Array.from({ length: count }, () => {
    const award_price_cents = oneOf(PRICES);
    const paid = oneOf(STATES);
    const handed = paid === "paid" ? "delivered" : "waiting_delivery";
    const state: PayoutState = award_price_cents > 0 ? paid : handed;
    const payout = oneOf([{}, {}, { award_name: null }]);
    return {
      award_price_cents,
      created_at: someInstant(),
      award_name: oneOf(NAMES),
      state,
      payout,
    };
  });
  await makeRecords(t.db, round, player, values);
}

beforeAll(async () => {
  rounds = [await makeRound(t.db), await makeRound(t.db), await makeRound(t.db)];
  player = await makePlayer(t.db);
});

interface Row {
  readonly id: number;
  readonly rounds_id: number;
  readonly award_name: string;
  readonly cents: number;
  readonly drawn: number;
  readonly state: PayoutState;
  readonly at: Date;
}

function someMatch(): RecordMatch {
  const maybe = <T>(value: T) => (below(3) === 0 ? value : undefined);
  const second = () => new Date(Math.floor(someInstant().getTime() / 1_000) * 1_000);
  return {
    rounds_ids: maybe(rounds.slice(below(3)).map((round) => round.rounds_id)) ?? null,
    award_name: maybe(oneOf(["red", "PHONE", "8.88", "%_", "case", "none"])),
    award_price: maybe(oneOf(PRICES)),
    states: maybe(PAYOUT_STATES.filter(() => below(oneOf([2, 6])) > 0)) ?? null,
    drawn: maybe(oneOf(drawn)),
    order: maybe("oldest" as const),
    start: maybe(second()) ?? null,
    end: maybe(second()) ?? null,
    user_name: maybe(player.user_name) && maybe(player.user_name),
    platform: undefined,
    span: null,
  };
}

const isIn = (match: RecordMatch) => (row: Row) =>
  (match.rounds_ids?.includes(row.rounds_id) ?? true) &&
  row.award_name.toLowerCase().includes((match.award_name ?? "").toLowerCase()) &&
  row.cents === (match.award_price ?? row.cents) &&
  row.drawn === (match.drawn?.id ?? row.drawn) &&
  (match.states?.includes(row.state) ?? true) &&
  row.at >= (match.start ?? row.at) &&
  row.at.getTime() < (match.end === null ? Infinity : match.end.getTime() + 1_000);

const added = (rows: readonly Row[]) => ({
  count: rows.length,
  amount_cents: BigInt(rows.reduce((sum, row) => sum + row.cents, 0)),
});

async function compare(): Promise<void> {
  const rows = await t.sql<Row>`
    select r.id, r.rounds_id, r.award_name, r.award_price_cents as cents, d.id as drawn, p.state, r.created_at as at
    from draw_record r join drawn_prize d using (rounds_id, award_name, award_price_cents)
    join payout p on p.log_id = r.id order by r.id desc`;
  drawn = await t.db.selectFrom("drawn_prize").selectAll().execute();
  for (let tries = 0; tries < 25; tries += 1) {
    const match = someMatch();
    const newest = rows.filter(isIn(match));
    const found = match.order === "oldest" ? newest.toReversed() : newest;
    const states = PAYOUT_STATES.map((state) => found.filter((row) => row.state === state));
    const counted = await selectStateSums(t.db, match);
    expect(counted, JSON.stringify(match)).toEqual(
      states.flatMap((of) => (of[0] === undefined ? [] : [{ state: of[0].state, ...added(of) }])),
    );
    const sums = ([0, 1, 2] as const).flatMap((award_status) => {
      const ofStatus = found.filter((row) => STATUS_OF_STATE[row.state] === award_status);
      const goods = ofStatus.filter(({ state }) => state === "waiting_delivery").length;
      return ofStatus.length === 0 ? [] : [{ award_status, ...added(ofStatus), goods }];
    });
    expect(sumsByStatus(counted), JSON.stringify(match)).toEqual(sums);
    const size = oneOf([1, 7, 50]);
    const page = 1 + below(Math.ceil(found.length / size) + 1);
    const listed = await selectRecords(t.db, match, { page, size });
    const ids = listed.map((row) => row.log_id);
    const wanted = found.slice((page - 1) * size, page * size).map((row) => row.id);
    expect(ids, JSON.stringify(match)).toEqual(wanted);
  }
}

it("rollups answer as the rows do, whatever is drawn, paid and folded in between", async () => {
  for (let step = 0; step < 8; step += 1) {
    await draw(1 + below(400));
    await draw(1 + below(3));
    if (step % 3 > 0) {
      await inTransaction(t.db, foldRollups);
    }
    await t.sql`update payout set state = 'paid', paid_at = now()
      where state = 'queued' and log_id % 3 = ${step % 3}`;
    await compare();
  }
  expect(await selectMiscountedRollup(t.db)).toBeNull();
});

it("rollups list extra times", async () => {
  const add = sql`insert into extra_time (player_key, tag, expire_time, granted_by)
    select ${player.player_key}::bigint, 'weekend', now(), 'x' from generate_series(1, 700)`;
  await add.execute(t.db);
  await inTransaction(t.db, foldRollups);
  await add.execute(t.db);
  await t.sql`delete from extra_time where id between 200 and 900 and id % 5 = 0`;
  const rows = await t.sql<{ id: number }>`
    select id from extra_time order by id desc`;
  for (const page of [1, 2, 9, 25, 26, 27]) {
    const all = await selectExtraTimes(t.db, null, { page, size: 50 });
    expect(all.total).toBe(rows.length);
    expect(all.rows.map(({ id }) => id)).toEqual(
      rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
    );
  }
});

it("rollups are counted again while records are drawn", async () => {
  await t.sql`update rollup set n = n + 1 where n % 2 = 0`;
  expect(await selectMiscountedRollup(t.db)).toMatchObject({ table: "rollup" });
  const drawing = draw(300);
  for (const list of ROLLED_UP) {
    for (const day of await selectRollupDays(t.db, list)) {
      await inTransaction(t.db, (tx) => rebuildRollupDay(tx, list, day));
    }
  }
  await drawing;
  expect(await selectMiscountedRollup(t.db)).toBeNull();
});
