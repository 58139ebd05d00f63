/** Tests every pair of filters, in each way to read records, against a plain search through the rows. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  AWARD_STATUS,
  PAYOUT_STATES,
  STATE_FACTS,
  STATUS_OF_STATE,
} from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { recordFilter, recordRoutes } from "@red/contract/records/record";
import { openDb, openPool } from "#platform/db/connection";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { hold, untilWaiting } from "#test/races";
import { rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { readRecordFilter } from "./record-filter.ts";
import type { RecordMatch } from "./record-filter.ts";
import {
  countOf,
  selectRecordPicks,
  selectRecords,
  selectStateSums,
  streamRecords,
} from "./record-sql.ts";
import * as z from "zod/mini";

const t = useTestDb();
const app = useTestApp(t);

const at = (time: string) => new Date(`2026-11-20T${time}+08:00`);
/** Times on both sides of the filter limits, and of the minutes by which rollups count. */
const TIMES = ["09:59:59.999", "10:00:00.000", "10:00:30.999", "10:00:31.000", "10:01:59.999"];
const LATER = ["10:02:00.000", "10:02:00.999", "10:02:01.000", "10:07:00.500"];
/** Name and cents. Each prize differs only slightly from the first. */
const PRIZES = ["红包 1元 100", "红包 1元 101", "RED_1 100", "红包 1元 99"];

interface Fact {
  readonly log_id: number;
  readonly trans_sn: string;
  readonly user_name: string;
  readonly award_name: string;
  readonly cents: number;
  readonly state: PayoutState;
  readonly created_at: Date;
  readonly rounds_id: number;
  readonly rounds_name: string;
  readonly hasBet: boolean;
}
type Option = readonly [query: object, holds: (fact: Fact) => boolean];

let facts: readonly Fact[];
let options: readonly Option[];

async function makeFacts(rounds_name: string, bettor: string, hour: string, start_date: string) {
  const [start, end] = [at(`${hour}:00:00.000`), at(`${hour}:59:59.000`)];
  const deleted_at = bettor === "" ? new Date() : null;
  const window = { achieve_start_time: start, achieve_end_time: end, start_date, deleted_at };
  const round = await makeRound(t.db, { rounds_name, ...window });
  const made: Fact[] = [];
  for (const [nth, user_name] of ["Anna", "Ben"].entries()) {
    const player =
      (await rowsOf(t.db, "player", { user_name }))[0] ?? (await makePlayer(t.db, { user_name }));
    const values = PAYOUT_STATES.map((state, index) => {
      const { isPhysical } = STATE_FACTS[state];
      const prize = isPhysical ? "Red 手机 0" : (PRIZES[(index + nth) % PRIZES.length] ?? "");
      const space = prize.lastIndexOf(" ");
      const created_at = at([...TIMES, ...LATER][(index * 2 + nth) % 9] ?? "");
      return {
        state,
        award_name: prize.slice(0, space),
        award_price_cents: Number(prize.slice(space)),
        created_at,
        // Older payouts have no prize name.
        payout: nth === 0 ? {} : { award_name: null },
      };
    });
    const records = await makeRecords(t.db, round, player, values);
    const { rounds_id } = round;
    const of = { rounds_id, rounds_name, user_name, hasBet: user_name === bettor };
    for (const [index, { award_price_cents: cents, ...value }] of values.entries()) {
      made.push({ ...value, cents, ...(records[index] ?? { log_id: 0, trans_sn: "" }), ...of });
    }
  }
  return made;
}

beforeAll(async () => {
  const one = await makeFacts("双场", "Anna", "06", "2026-11-20");
  const two = await makeFacts("双场", "Ben", "08", "2026-11-21");
  facts = [...one, ...two, ...(await makeFacts("单场", "", "07", "2026-11-21"))];
  const [{ rounds_id }] = one as [Fact];
  await t.sql`select ensure_month('bet', '2026-11-01')`;
  // The bets are at the first and the last moment of all the windows.
  await t.sql`insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
    select row_number() over (), user_name, player_key, 100, 1234,
      case user_name when 'Anna' then ${at("06:00:00.000")}::timestamptz else ${at("08:59:59.999")}::timestamptz end
    from player where user_name in ('Anna', 'Ben')`;
  const prizes = await rowsOf(t.db, "drawn_prize", { rounds_id });
  const { trans_sn } = one[4] as Fact;
  const isIn = (list: string) => (fact: Fact) => list.split(",").includes(fact.state);
  options = [
    [{ user_name: "aNNA" }, (fact) => fact.user_name === "Anna"],
    [{ user_name: "Ann" }, () => false],
    [{ award_name: "红包" }, (fact) => fact.award_name.includes("红包")],
    [{ award_name: "red" }, (fact) => /red/i.test(fact.award_name)],
    [{ award_name: "d_1" }, (fact) => fact.award_name === "RED_1"],
    [{ award_price: "1.00" }, (fact) => fact.cents === 100],
    [{ award_price: "0" }, (fact) => fact.cents === 0],
    ...Object.values(AWARD_STATUS).map((award_status): Option => [
      { award_status },
      (fact) => STATUS_OF_STATE[fact.state] === award_status,
    ]),
    ...[
      ...PAYOUT_STATES,
      "paid,delivered",
      "waiting_delivery,delivered",
      "paid,refused",
      "queued,sending,unknown,check,refused,closed",
    ].map((payout_state): Option => [{ payout_state }, isIn(payout_state)]),
    [{ rounds_id }, (fact) => fact.rounds_id === rounds_id],
    [{ rounds_name: "双场" }, (fact) => fact.rounds_name === "双场"],
    [{ rounds_id: Number.MAX_SAFE_INTEGER }, () => false],
    [{ rounds_name: "双" }, () => false],
    [{ achieve_start_time: "2026-11-20 07:00:00" }, (fact) => fact.rounds_name === "单场"],
    [{ achieve_end_time: "2026-11-20 06:59:59" }, (fact) => fact.rounds_id === rounds_id],
    [{ achieve_end_time: "2026-11-20 06:59:58" }, () => false],
    [{ start_date: "2026-11-21" }, (fact) => fact.rounds_id !== rounds_id],
    [{ start_time: "2026-11-20 10:00:31" }, (fact) => fact.created_at >= at("10:00:31.000")],
    [{ start_time: "2026-11-20 10:02:00" }, (fact) => fact.created_at >= at("10:02:00.000")],
    [{ end_time: "2026-11-20 10:00:30" }, (fact) => fact.created_at < at("10:00:31.000")],
    [{ end_time: "2026-11-20 10:02:00" }, (fact) => fact.created_at < at("10:02:01.000")],
    [{ start_time: "2199-01-01 00:00:00" }, () => false],
    [{ end_time: "1971-01-01 00:00:00" }, () => false],
    [{ trans_sn }, (fact) => fact.trans_sn === trans_sn],
    ...prizes.map(({ id, award_name, award_price_cents }): Option => [
      { drawn_prize: id },
      (fact) =>
        fact.rounds_id === rounds_id &&
        fact.award_name === award_name &&
        fact.cents === award_price_cents,
    ]),
    [{ drawn_prize: 2_147_483_648 }, () => false],
    [{ trans_sn: "nobody's" }, () => false],
    [{ type: 1234 }, (fact) => fact.hasBet],
  ];
});

const idsOf = (rows: readonly { readonly log_id: number | string }[]) =>
  rows.map(({ log_id }) => Number(log_id));

async function exportedIds(match: RecordMatch): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of streamRecords(t.db, match)) {
    ids.push(...idsOf(page));
  }
  return ids;
}

function sumOf(of: readonly Fact[]) {
  const cents = of.reduce((sum, fact) => sum + fact.cents, 0);
  return { count: of.length, amount: formatCents(cents) };
}

async function compared(chosen: readonly Option[]): Promise<[found: object, expected: object]> {
  const query = Object.assign({}, ...chosen.map(([one]) => one));
  const newest = facts
    .filter((fact) => chosen.every(([, holds]) => holds(fact)))
    .toSorted((a, b) => b.log_id - a.log_id);
  const oldest = newest.toReversed();
  const stateless = facts.filter((fact) =>
    chosen.every(([one, holds]) => "payout_state" in one || holds(fact)),
  );
  const filter = z.parse(recordFilter, { ...query, order: "oldest" });
  const match = await readRecordFilter(t.db, filter, "Asia/Shanghai");
  const [list, page, picks, sums, exported] = await Promise.all([
    app.read(recordRoutes.list, { query: { ...query, size: 2, page: 2 } }),
    selectRecords(t.db, match, { size: 3, page: 2 }),
    selectRecordPicks(t.db, { ...match, order: "newest" }, 1000),
    selectStateSums(t.db, match),
    exportedIds(match),
  ]);
  const content = idsOf(list.content);
  const read = {
    content,
    page: idsOf(page),
    picks: idsOf(picks),
    counted: countOf(sums),
    exported,
  };
  const found = { query, ...list, ...read };
  const expected = {
    query,
    content: idsOf(newest).slice(2, 4),
    total: newest.length,
    sums: Object.values(AWARD_STATUS).flatMap((award_status) => {
      const of = newest.filter(({ state }) => STATUS_OF_STATE[state] === award_status);
      const goods = of.filter(({ state }) => state === "waiting_delivery").length;
      return of.length === 0 ? [] : [{ award_status, ...sumOf(of), goods }];
    }),
    states: PAYOUT_STATES.flatMap((payout_state) => {
      const of = stateless.filter(({ state }) => state === payout_state);
      return of.length === 0 ? [] : [{ payout_state, ...sumOf(of) }];
    }),
    page: idsOf(oldest).slice(3, 6),
    picks: idsOf(newest),
    counted: newest.length,
    exported: idsOf(oldest),
  };
  return [found, expected];
}

test("each filter, and each two in turn, list, add up, pick and export the same records", async () => {
  const fieldOf = ([query]: Option) => Object.keys(query)[0];
  const byField = [...new Set(options.map(fieldOf))].map((field) =>
    options.filter((one) => fieldOf(one) === field),
  );
  let turn = 0;
  const next = (of: readonly Option[]) => of[(turn += 1) % of.length] as Option;
  const pairs = byField.flatMap((one, index) =>
    byField.slice(index + 1).map((other) => [next(one), next(other)]),
  );
  for (const chosen of [[], ...options.map((one) => [one]), ...pairs]) {
    const [found, expected] = await compared(chosen);
    expect(found).toEqual(expected);
  }
}, 120_000);

test("only a read by platform has no time limit", async () => {
  const limits = { max: 2, name: "short", statementTimeoutMs: 500, onFault: () => {} };
  const short = openDb(openPool(t.connection, limits));
  onTestFinished(() => short.destroy());
  const read = async (query: object) => {
    const filter = z.parse(recordFilter, query);
    const match = await readRecordFilter(short, filter, "Asia/Shanghai");
    return await selectStateSums(short, match);
  };
  const held = await hold(t.db, (tx) => sql`lock table draw_record`.execute(tx));
  const reads = Promise.allSettled([read({ type: 1234 }), read({ user_name: "Anna" })]);
  await untilWaiting(t.db);
  await sleep(1_500);
  await held.commit();
  const cut = { message: expect.stringContaining("statement timeout") as string };
  expect(await reads).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: cut }]);
});
