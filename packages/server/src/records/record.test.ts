import { IDS_PER_CALL_MAX } from "@red/contract/platform/limits";
import { recordRoutes } from "@red/contract/records/record";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

type Query = Record<string, string | number>;

const list = (query: Query) => app.read(recordRoutes.list, { query: query as object });
const pick = (query: Query) => app.read(recordRoutes.ids, { query: query as object });

const idsOf = async (query: Query) =>
  (await list({ size: 1000, ...query })).content.map(({ log_id }) => log_id);

function at(time: string): Date {
  return new Date(`2026-11-20T${time}+08:00`);
}

let round: MadeRound;
let other: MadeRound;
let anna: MadePlayer;
let ben: MadePlayer;

beforeAll(async () => {
  round = await makeRound(t.db, { rounds_name: "周末红包A" });
  // The id is far enough away to be in another partition.
  await t.sql`alter table activity alter column id restart with 200`;
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
});

describe("the filter", () => {
  it("finds a part of the prize's name, without patterns", async () => {
    const { rounds_id } = await makeRound(t.db);
    const names = ["红包 50%", "红包 500", "a_b", "aXb"];
    const values = names.map((award_name) => ({ award_name }));
    const made = await makeRecords(t.db, { ...round, rounds_id }, anna, values);
    const of = (...indexes: number[]) => indexes.map((index) => made[index]?.log_id);
    expect(await idsOf({ rounds_id, award_name: "红包" })).toEqual(of(1, 0));
    expect(await idsOf({ rounds_id, award_name: "50%" })).toEqual(of(0));
    expect(await idsOf({ rounds_id, award_name: "a_b" })).toEqual(of(2));
    expect(await idsOf({ rounds_id, award_name: "\\" })).toEqual([]);
  });

  it("ignores what is empty, and refuses what it cannot read", async () => {
    const { rounds_id } = await makeRound(t.db);
    const [{ log_id } = { log_id: 0 }] = await makeRecords(t.db, { ...round, rounds_id }, anna, [
      {},
    ]);
    const empty = { user_name: "", award_status: "", start_time: "" };
    expect(await idsOf({ rounds_id, ...empty })).toEqual([log_id]);
    for (const query of [{ award_status: 3 }, { award_price: "x" }, { start_time: "today" }]) {
      const envelope = await app.call(recordRoutes.list, { query: query as object });
      expect(envelope).toMatchObject({ code: 400 });
    }
  });
});

describe("the filter by platform", () => {
  it("finds players with a bet there that counts for the round", async () => {
    const start = at("10:00:00.000");
    const end = at("10:59:59.000");
    const round = await makeRound(t.db, {
      achieve_start_time: start,
      achieve_end_time: end,
    });
    const bets = {
      "first moment": { created_at: start },
      "last moment": { created_at: at("10:59:59.999") },
      early: { created_at: at("09:59:59.999") },
      late: { created_at: at("11:00:00.000") },
      "another platform": { created_at: start, platform: 2234 },
      void: { created_at: start, voided_at: start },
      none: null,
    };
    await t.sql`select ensure_month('bet', '2026-11-01')`;
    const found: string[] = [];
    let slot = 0;
    for (const [name, values] of Object.entries(bets)) {
      const player = await makePlayer(t.db, { user_name: `bettor ${name}` });
      await makeRecords(t.db, round, player, [{ state: "paid" }]);
      slot += 1;
      if (values !== null) {
        const row = { id: slot, bet_no: name, valid_bet_cents: 100, platform: 1234, ...values };
        const { player_key } = player;
        await t.db
          .insertInto("bet")
          .values({ ...row, player_key })
          .execute();
      }
    }
    const query = { rounds_id: round.rounds_id, type: 1234 };
    for (const more of [{}, { award_status: 1 }, { award_status: 0 }, { type: "2234" }]) {
      const { content } = await list({ ...query, ...more });
      found.push(content.map(({ user_name }) => user_name.replace("bettor ", "")).join(", "));
    }
    expect(found).toEqual([
      "last moment, first moment",
      "last moment, first moment",
      "",
      "another platform",
    ]);
    expect(await app.call(recordRoutes.list, { query: { type: 1 } as object })).toMatchObject({
      code: 400,
    });
  });
});

describe("the records to pick", () => {
  it("have player, amount and state, newest first", async () => {
    const round = await makeRound(t.db);
    const [paid, refused, waiting] = await makeRecords(t.db, round, anna, [
      { state: "paid", created_at: new Date("2026-11-20T10:00:00Z") },
      { state: "refused", created_at: new Date("2026-11-20T10:00:01Z"), award_price_cents: 1250 },
      { created_at: new Date("2026-11-20T10:00:02Z"), award_price_cents: 0 },
    ]);
    const whose = { user_name: anna.user_name, award_name: "8.88 red packet" };
    expect(await pick({ rounds_id: round.rounds_id })).toEqual({
      content: [
        {
          log_id: waiting?.log_id,
          ...whose,
          award_price: "0.00",
          payout_state: "waiting_delivery",
        },
        { log_id: refused?.log_id, ...whose, award_price: "12.50", payout_state: "refused" },
        { log_id: paid?.log_id, ...whose, award_price: "8.88", payout_state: "paid" },
      ],
      total: 3,
    });
  });

  it("are the newest, up to the limit of one call, and the rest is counted", async () => {
    const many = await makeRound(t.db);
    const created_at = new Date("2026-11-20T10:00:00Z");
    const values = Array.from({ length: IDS_PER_CALL_MAX + 2 }, (_, index) => ({
      created_at: new Date(created_at.getTime() + index),
      award_price_cents: 1,
      state: "refused" as const,
    }));
    const made = await makeRecords(t.db, many, anna, values);
    const { content, total } = await pick({ rounds_id: many.rounds_id, award_status: 2 });
    expect(total).toBe(IDS_PER_CALL_MAX + 2);
    expect(content.map(({ log_id }) => log_id)).toEqual(
      made
        .slice(2)
        .map(({ log_id }) => log_id)
        .toReversed(),
    );
  });
});

describe("paging", () => {
  it("has no gap and no repetition, 20 rows by default", async () => {
    const long = await makeRound(t.db);
    // All records are in the same millisecond, so only the id gives the order.
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
