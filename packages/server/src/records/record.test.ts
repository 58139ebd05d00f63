import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import type { Envelope } from "@red/contract/envelope";
import { PAYOUT_STATES, STATUS_OF_STATE } from "@red/contract/lookups";
import { formatCents } from "@red/contract/money";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

interface Page {
  readonly content: readonly DrawRecord[];
  readonly total: number;
  readonly sums: readonly { award_status: number; count: number; amount: string }[];
}

async function list(query: Record<string, string | number>): Promise<Page> {
  const envelope: Envelope = await app.call(recordRoutes.list, { query: query as object });
  expect(envelope).toMatchObject({ code: 200, msg: "success" });
  // The application checks every answer against the contract in tests.
  return envelope.data as Page;
}

async function idsOf(query: Record<string, string | number>): Promise<number[]> {
  return (await list({ size: 1000, ...query })).content.map(({ log_id }) => log_id);
}

function at(time: string): Date {
  return new Date(`2026-11-20T${time}+08:00`);
}

let round: MadeRound;
let other: MadeRound;
let anna: MadePlayer;
let ben: MadePlayer;

beforeAll(async () => {
  round = await makeRound(t.db, { rounds_name: "周末红包A" });
  // Far enough away to be in another partition.
  await sql`alter table activity alter column id restart with 200`.execute(t.db);
  other = await makeRound(t.db, { rounds_name: "端午", deleted_at: new Date() });
  anna = await makePlayer(t.db, { user_name: "Anna_01" });
  ben = await makePlayer(t.db, { user_name: "ben%" });
});

describe("a record", () => {
  it("shows the draw, the player, the round and the payout", async () => {
    const [made] = await makeRecords(t.db, round, anna, [
      {
        award_name: "8.88元红包",
        state: "paid",
        created_at: at("20:00:01.500"),
        draw_no: 7,
        record: { ticket: 41, fallback_ticket: 3, exhausted: [5, 9], extra_time_id: 12 },
        payout: { wallet_ref: "W1", paid_at: at("20:00:02"), attempts: 2 },
      },
    ]);
    const { content } = await list({ rounds_id: round.rounds_id });
    expect(content).toEqual([
      {
        log_id: made?.log_id,
        player_id: anna.player_id,
        user_name: "Anna_01",
        award_name: "8.88元红包",
        award_price: "8.88",
        type: "virtual",
        award_status: 1,
        payout_state: "paid",
        fail_reason: null,
        check_reason: null,
        note: null,
        rounds_id: round.rounds_id,
        rounds_name: "周末红包A",
        trans_sn: made?.trans_sn,
        turnover: 3,
        created_at: "2026-11-20 20:00:01",
        paid_at: "2026-11-20 20:00:02",
        unknown_since: null,
        wallet_ref: "W1",
        attempts: 2,
        draw_no: 7,
        held: false,
        extra_time_id: 12,
        rule_version: 1,
        pool_version: 1,
        ticket: 41,
        fallback_ticket: 3,
        exhausted: [5, 9],
      },
    ]);
  });

  it("keeps a deleted round's name, and is physical without a price", async () => {
    await makeRecords(t.db, other, ben, [{ award_price_cents: 0, award_name: "手机" }]);
    expect((await list({ rounds_id: other.rounds_id })).content).toMatchObject([
      {
        rounds_name: "端午",
        type: "physical",
        award_price: "0.00",
        award_status: 0,
        payout_state: "waiting_delivery",
      },
    ]);
  });

  it("has the dispatch status of its payout's state", async () => {
    const states = PAYOUT_STATES.filter(
      (state) => state !== "delivered" && state !== "waiting_delivery",
    );
    const fresh = await makeRound(t.db);
    await makeRecords(
      t.db,
      fresh,
      anna,
      states.map((state) => ({ state })),
    );
    const { content } = await list({ rounds_id: fresh.rounds_id });
    expect(content).toHaveLength(states.length);
    for (const { payout_state, award_status, fail_reason } of content) {
      expect(award_status).toBe(STATUS_OF_STATE[payout_state]);
      expect(fail_reason).toBe(award_status === 2 ? "account frozen" : null);
    }
  });
});

describe("the filter", () => {
  let filtered: MadeRound;
  let ids: number[];

  beforeAll(async () => {
    filtered = await makeRound(t.db);
    const names = ["红包 50%", "红包 500", "a_b", "aXb", "ABC"];
    const made = await makeRecords(t.db, filtered, anna, [
      ...names.map((award_name, index) => ({
        award_name,
        award_price_cents: 100 * (index + 1),
        created_at: at(`10:00:0${index}.999`),
        state: "paid" as const,
      })),
      { state: "refused", created_at: at("11:00:00.000") },
      { state: "unknown", created_at: at("11:00:00.999") },
    ]);
    const [last] = await makeRecords(t.db, filtered, ben, [
      { state: "refused", created_at: at("11:00:01.000") },
    ]);
    ids = [...made, ...(last === undefined ? [] : [last])].map(({ log_id }) => log_id);
  });

  const of = (...indexes: readonly number[]) => indexes.map((index) => ids[index]);
  const find = (query: Record<string, string | number>) =>
    idsOf({ rounds_id: filtered.rounds_id, ...query });

  it("takes the account as a whole, without regard to case", async () => {
    expect(await find({ user_name: " aNNA_01 " })).toEqual(of(6, 5, 4, 3, 2, 1, 0));
    expect(await find({ user_name: "ben%" })).toEqual(of(7));
    expect(await find({ user_name: "anna" })).toEqual([]);
    expect(await find({ user_name: "%" })).toEqual([]);
  });

  it("finds a part of the prize's name, without patterns", async () => {
    expect(await find({ award_name: "红包" })).toEqual(of(1, 0));
    expect(await find({ award_name: "50%" })).toEqual(of(0));
    expect(await find({ award_name: "a_b" })).toEqual(of(2));
    expect(await find({ award_name: "ab" })).toEqual(of(4));
    expect(await find({ award_name: "\\" })).toEqual([]);
  });

  it("takes price, status and both ends of the time exactly", async () => {
    expect(await find({ award_price: "3.00" })).toEqual(of(2));
    expect(await find({ award_price: "3" })).toEqual(of(2));
    expect(await find({ award_status: 0 })).toEqual(of(6));
    expect(await find({ award_status: "1" })).toEqual(of(4, 3, 2, 1, 0));
    expect(await find({ award_status: 2 })).toEqual(of(7, 5));
    expect(await find({ start_time: "2026-11-20 10:00:04" })).toEqual(of(7, 6, 5, 4));
    expect(await find({ end_time: "2026-11-20 11:00:00" })).toEqual(of(6, 5, 4, 3, 2, 1, 0));
    expect(
      await find({ start_time: "2026-11-20 11:00:00", end_time: "2026-11-20 11:00:00" }),
    ).toEqual(of(6, 5));
    expect(await find({ start_time: "2199-01-01 00:00:00" })).toEqual([]);
    expect(await find({ end_time: "1971-01-01 00:00:00" })).toEqual([]);
  });

  it("ignores what is empty, and refuses what it cannot read", async () => {
    expect(await find({ user_name: "", award_status: "", start_time: "" })).toHaveLength(8);
    for (const query of [{ award_status: 3 }, { award_price: "x" }, { start_time: "today" }]) {
      const envelope = await app.call(recordRoutes.list, { query: query as object });
      expect(envelope).toMatchObject({ code: 400 });
    }
  });

  it("combines, and counts exactly what it finds", async () => {
    const texts = [{}, { user_name: "anna_01" }, { award_name: "a" }, { award_price: "8.88" }];
    const times = [{}, { start_time: "2026-11-20 10:00:03", end_time: "2026-11-20 11:00:00" }];
    const rounds = [{}, { rounds_id: filtered.rounds_id }];
    const statuses = [{}, { award_status: 0 }, { award_status: 1 }, { award_status: 2 }];
    const everything = (await list({ size: 1000 })).content;
    for (const query of texts.flatMap((a) =>
      times.flatMap((b) =>
        rounds.flatMap((c) => statuses.map((d) => ({ ...a, ...b, ...c, ...d }))),
      ),
    )) {
      const wanted = everything.filter(
        (row) =>
          (!("user_name" in query) || row.user_name === "Anna_01") &&
          (!("award_name" in query) || /a/i.test(row.award_name)) &&
          (!("award_price" in query) || row.award_price === "8.88") &&
          (!("start_time" in query) ||
            (row.created_at >= "2026-11-20 10:00:03" && row.created_at <= "2026-11-20 11:00:00")) &&
          (!("rounds_id" in query) || row.rounds_id === filtered.rounds_id) &&
          (!("award_status" in query) || row.award_status === query.award_status),
      );
      const { content, total, sums } = await list({ ...query, size: 1000 });
      expect([query, content]).toEqual([query, wanted]);
      expect([query, total]).toEqual([query, wanted.length]);
      expect([query, sums]).toEqual([query, sumsOf(wanted)]);
    }
  });
});

/** Count and sum per status, added up by hand. */
function sumsOf(rows: readonly DrawRecord[]) {
  return [0, 1, 2].flatMap((award_status) => {
    const mine = rows.filter((row) => row.award_status === award_status);
    const cents = mine.reduce((sum, row) => sum + Math.round(Number(row.award_price) * 100), 0);
    return mine.length === 0
      ? []
      : [{ award_status, count: mine.length, amount: formatCents(cents) }];
  });
}

describe("paging", () => {
  it("has no gap and no repetition, 20 rows by default", async () => {
    const long = await makeRound(t.db);
    // All in the same millisecond, so that only the id gives the order.
    const values = Array.from({ length: 45 }, () => ({ created_at: at("12:00:00.000") }));
    await makeRecords(t.db, long, anna, values);
    const whole = await idsOf({ rounds_id: long.rounds_id });
    expect(whole).toHaveLength(45);
    expect(whole).toEqual(whole.toSorted((a, b) => b - a));
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => list({ rounds_id: long.rounds_id, page })),
    );
    expect(pages.map(({ content }) => content.length)).toEqual([20, 20, 5, 0]);
    expect(pages.flatMap(({ content }) => content.map(({ log_id }) => log_id))).toEqual(whole);
    expect(pages.map(({ total }) => total)).toEqual([45, 45, 45, 45]);
  });
});
