/** Totals and pages from rollups equal the results of plain SQL, even while rows are written, folded or rebuilt. */
import type { EventKind } from "@red/contract/events/event";
import { inOneView, inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { countRows } from "#platform/db/snapshot";
import { diceOf } from "#test/dice";
import { makeExtraTime, makeRecord } from "#test/factories";
import { makePlayer } from "#test/ingest-factory";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { columnsOf } from "#events/event-columns";
import type { EventFilter } from "#events/event-list-sql";
import { selectEventPage, selectEventTotals } from "#events/event-list-sql";
import { startFolding } from "./rollup-job.ts";
import {
  foldRollups,
  minutesOf,
  rebuildRollupDay,
  ROLLED_UP,
  selectRollupDays,
} from "./rollup-sql.ts";

const KINDS = ["deposit", "bet"] as const satisfies readonly EventKind[];
const FIRST_MS = Date.UTC(2024, 3, 20);
const SPAN_MS = 40 * 86_400_000;

const t = useTestDb();
let player_key = 0;
let written = 0;

beforeAll(async () => {
  player_key = await makePlayer(t.db);
  for (const kind of KINDS) {
    for (const month of ["2024-04-01", "2024-05-01"]) {
      await t.sql`select ensure_month(${kind}, ${month}::date)`;
    }
  }
});

/** Inserts rows at random times, half of them within a few minutes. Some sums exceed 2^53. */
async function insertRows(db: Db, kind: EventKind, roll: (end: number) => number, count: number) {
  const rows = Array.from({ length: count }, () => {
    const ms = FIRST_MS + roll(SPAN_MS);
    written += 1;
    const crowded = FIRST_MS + roll(3) * 86_400_000 * 7 + (roll(2) === 0 ? 0 : roll(60_000));
    return {
      no: `${kind}-${written}`,
      at: new Date(roll(2) === 0 ? ms : crowded).toISOString(),
      slot: written % 16_384,
      amount: roll(20) === 0 ? 999_999_999_999 : 1 + roll(100_000),
      code: roll(10) === 0 ? 1 : 0,
    };
  });
  const own =
    kind === "deposit"
      ? sql`1 + x.slot % 9, 1 + x.code`
      : sql`case x.code when 0 then 1234 else 7234 end`;
  const { no, cents, codes } = columnsOf(kind);
  await sql`
    insert into ${sql.table(kind)} (id, created_at, ${no}, player_key, ${cents}, ${sql.join(codes)})
    select (extract(epoch from x.at) * 1000 - 1577836800000)::bigint * 16384 + x.slot, x.at, x.no,
      ${player_key}, x.amount, ${own}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as x (no text, at timestamptz, slot int, amount bigint, code int)`.execute(db);
}

/** Cancels, restores, corrects or deletes some rows, or moves them to another month. */
async function changeRows(db: Db, kind: EventKind, roll: (end: number) => number): Promise<void> {
  const { no, cents, cancelled_at, codes } = columnsOf(kind);
  const some = sql`hashtext(${no} || ${roll(1_000_000)}::text) % 20 = 0`;
  const table = sql.table(kind);
  const [code] = codes;
  const acts = [
    sql`update ${table} set ${cancelled_at} = now() where ${some}`,
    sql`update ${table} set ${cancelled_at} = null where ${some}`,
    sql`update ${table} set ${cents} = ${cents} % 100000 + 7 where ${some}`,
    sql`update ${table} set ${code} = case when ${code} < 10 then 9 else 2234 end where ${some}`,
    sql`update ${table} set id = id + 86400000::bigint * 16384 * 20, created_at = created_at + interval '20 days'
      where ${some} and created_at < '2024-05-05' and ${no} > ${`${kind}-5`}`,
    sql`delete from ${table} where ${some}`,
  ];
  await acts[roll(acts.length)]?.execute(db);
}

function someFilter(kind: EventKind, roll: (end: number) => number): EventFilter<EventKind> {
  const units = [1_000, 60_000, 3_600_000, 86_400_000] as const;
  const instant = () => {
    const unit = units[roll(4)] ?? 1;
    return roll(4) === 0
      ? null
      : new Date(Math.floor((FIRST_MS + roll(SPAN_MS)) / unit) * unit + (roll(5) === 0 ? 123 : 0));
  };
  const start = instant();
  const length = [1_000, 59_000, 3_700_000, 9 * 86_400_000][roll(4)] ?? 0;
  const end = start !== null && roll(2) === 0 ? new Date(start.getTime() + length) : instant();
  const code = (values: readonly number[]) => values[roll(values.length * 2)];
  const codes =
    kind === "bet"
      ? { platform: code([1234, 7234, 2234, 3234]) }
      : { channel: code([1, 5, 9]), client: code([1, 2]) };
  return { player_key: null, start, end, codes };
}

/** Reads a page and the totals from one snapshot, by rollups and by plain SQL. */
async function bothWays(db: Db, kind: EventKind, roll: (end: number) => number) {
  const filter = someFilter(kind, roll);
  const { no, cents, cancelled_at } = columnsOf(kind);
  const { start, end } = filter;
  const given: Readonly<Record<string, number | undefined>> = filter.codes;
  const codes = Object.entries(given).filter(([, value]) => value !== undefined);
  const matches = sql`${sql.table(kind)} where created_at >= coalesce(${start}::timestamptz, '-infinity')
    and created_at < coalesce(${end}::timestamptz, 'infinity')
    and ${sql.join([sql`true`, ...codes.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)], sql` and `)}`;
  return await inOneView(db, async (view) => {
    const { rows } = await sql<{ total: number; amount_cents: bigint }>`
      select count(*) as total, coalesce(sum(${cents}) filter (where ${cancelled_at} is null), 0) as amount_cents
      from ${matches}`.execute(view);
    const size = 1 + roll(roll(3) === 0 ? 100 : 10);
    const page = 1 + roll(Math.ceil((rows[0]?.total ?? 0) / size) + 1);
    const plain = await sql<{ no: string }>`
      select ${no} as no from ${matches}
      order by id desc limit ${size} offset ${(page - 1) * size}`.execute(view);
    const found = await selectEventPage(view, kind, filter, { page, size });
    const totals = await selectEventTotals(view, kind, filter);
    return {
      wanted: { filter, page, size, totals: rows[0], nos: plain.rows.map((row) => row.no) },
      found: { filter, page, size, totals, nos: found.map((row) => row.no) },
    };
  });
}

async function expectSame(kind: EventKind, roll: (end: number) => number): Promise<number> {
  const { wanted, found } = await bothWays(t.db, kind, roll);
  expect(found).toEqual(wanted);
  return wanted.nos.length;
}

describe.each(KINDS)("the list of %ss", (kind) => {
  test("is what plain SQL finds, by 120 filters between writes and folds in any order", async () => {
    const { below: roll } = diceOf(7);
    await insertRows(t.db, kind, roll, 2_000);
    let rows = 0;
    for (let at = 0; at < 120; at += 1) {
      const act = roll(8);
      await (act === 0 ? insertRows(t.db, kind, roll, 1 + roll(50)) : Promise.resolve());
      await (act === 1 || act === 2 ? changeRows(t.db, kind, roll) : Promise.resolve());
      await (act === 3 ? inTransaction(t.db, foldRollups) : Promise.resolve());
      rows += await expectSame(kind, roll);
    }
    expect(rows).toBeGreaterThan(600);
  });

  test("is so at every instant, while others write, fold and rebuild", async () => {
    let isOver = false;
    const repeat = async (
      seed: number,
      act: (roll: (end: number) => number) => Promise<unknown>,
    ) => {
      const { below: roll } = diceOf(seed);
      while (!isOver) {
        await act(roll);
      }
    };
    const days = await selectRollupDays(t.db, kind);
    const others = Promise.all([
      repeat(1, (roll) => insertRows(t.db, kind, roll, 1 + roll(20))),
      repeat(2, (roll) => inTransaction(t.db, (tx) => changeRows(tx, kind, roll))),
      repeat(3, () => inTransaction(t.db, foldRollups)),
      repeat(4, (roll) => {
        const day = days[roll(days.length)] ?? 0;
        return inTransaction(t.db, (tx) => rebuildRollupDay(tx, kind, day));
      }),
    ]);
    try {
      const { below: roll } = diceOf(11);
      for (let at = 0; at < 60; at += 1) {
        await expectSame(kind, roll);
      }
    } finally {
      isOver = true;
      await others;
    }
  });

  test("is mended by counting its days again, with deltas waiting", async () => {
    await inTransaction(t.db, foldRollups);
    await insertRows(t.db, kind, diceOf(5).below, 100);
    await t.sql`update rollup set n = n + 1, cents = cents - 3 where list = ${kind} and start % 7 = 0`;
    await t.sql`delete from rollup where list = ${kind} and start % 5 = 1`;
    await t.sql`insert into rollup values (${kind}, 1, 77, 1, 1, 1, 1)`;
    const rebuild = async () => {
      let mended = 0;
      for (const day of await selectRollupDays(t.db, kind)) {
        mended += await inTransaction(t.db, (tx) => rebuildRollupDay(tx, kind, day));
      }
      return mended;
    };
    expect(await rebuild()).toBeGreaterThan(100);
    expect(await rebuild()).toBe(0);
    const { below: roll } = diceOf(13);
    for (let at = 0; at < 40; at += 1) {
      await expectSame(kind, roll);
    }
  });
});

test("a range within one minute has no whole minute, and neither edge counts it twice", () => {
  const start = new Date("2024-05-10T00:00:05Z");
  const end = new Date("2024-05-10T00:00:09Z");
  const { from, to, newer, older } = minutesOf(start, end);
  expect({ whole: to - from, newer, older }).toEqual({
    whole: 0,
    newer: { start, end },
    older: { start, end: start },
  });
});

test("what changed is folded each second", async () => {
  await insertRows(t.db, "bet", diceOf(2).below, 10);
  expect(await inTransaction(t.db, foldRollups)).toBeGreaterThan(0);
  const warn = vi.fn<() => void>();
  const folding = startFolding({ db: t.db, log: { warn } });
  onTestFinished(() => folding.stop());
  for (const seed of [3, 4]) {
    await insertRows(t.db, "bet", diceOf(seed).below, 10);
    await vi.waitFor(async () => expect(await countRows(t.db, "rollup_delta")).toBe(0), 10_000);
  }
  expect(warn).not.toHaveBeenCalled();
});

test("the days of extra times are numbers, those of payouts the days of their draws", async () => {
  await makeExtraTime(t.db, { player_key });
  await makeRecord(t.db);
  expect(await selectRollupDays(t.db, "extra_time")).toEqual([0]);
  const today = Math.floor(minutesOf(null, new Date()).to / 1_440) * 1_440;
  expect(await selectRollupDays(t.db, "payout")).toEqual([today]);
});

test("every table whose changes are counted is in the list of lists", async () => {
  const tables = await t.sql<{ name: string }>`
    select distinct c.relname::text as name from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where g.tgfoid = 'rollup_change'::regproc and not c.relispartition`;
  expect(tables.map(({ name }) => name).toSorted()).toEqual(ROLLED_UP.toSorted());
});
