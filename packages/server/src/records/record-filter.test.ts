import { IDS_PER_CALL_MAX } from "@red/contract/limits";
import type { Envelope } from "@red/contract/envelope";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord, RecordPick } from "@red/contract/record";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

let anna: MadePlayer;

beforeAll(async () => {
  anna = await makePlayer(t.db);
});

interface Picks {
  readonly content: readonly RecordPick[];
  readonly total: number;
}

async function pick(query: Record<string, string | number>): Promise<Picks> {
  const envelope = await app.call(recordRoutes.ids, { query: query as object });
  expect(envelope).toMatchObject({ code: 200, msg: "success" });
  return envelope.data as Picks;
}

/** All matches of a filter; the counts and the ids to pick must agree. */
async function find(query: Record<string, string | number>): Promise<readonly DrawRecord[]> {
  const all = { size: 1000, ...query } as object;
  const envelope: Envelope = await app.call(recordRoutes.list, { query: all });
  expect(envelope).toMatchObject({ code: 200 });
  // The application checks every answer against the contract in tests.
  const { content, total, sums } = envelope.data as {
    content: readonly DrawRecord[];
    total: number;
    sums: readonly { award_status: number; count: number }[];
  };
  expect(total).toBe(content.length);
  for (const { award_status, count } of sums) {
    expect(content.filter((row) => row.award_status === award_status)).toHaveLength(count);
  }
  const picks = await pick(query);
  expect(picks.content.map(({ log_id }) => log_id)).toEqual(content.map(({ log_id }) => log_id));
  expect(picks.total).toBe(total);
  return content;
}

describe("the filter by round", () => {
  const instant = (text: string) => new Date(`${text.replace(" ", "T")}+08:00`);
  const window = {
    achieve_start_time: "2026-11-20 00:00:00",
    achieve_end_time: "2026-11-20 23:59:59",
  };
  let friday: MadeRound;
  let saturday: MadeRound;
  let gone: MadeRound;

  beforeAll(async () => {
    const rounds_name = "三场";
    const achieve_end_time = instant(window.achieve_end_time);
    friday = await makeRound(t.db, {
      rounds_name,
      start_date: "2026-11-20",
      achieve_start_time: instant(window.achieve_start_time),
      achieve_end_time,
    });
    const achieve_start_time = instant("2026-11-19 00:00:00");
    saturday = await makeRound(t.db, {
      rounds_name,
      start_date: "2026-11-21",
      achieve_start_time,
      achieve_end_time,
    });
    gone = await makeRound(t.db, {
      rounds_name,
      start_date: "2026-11-20",
      deleted_at: new Date(),
      achieve_start_time,
      achieve_end_time: instant("2026-11-20 12:00:00"),
    });
    for (const one of [friday, saturday, gone]) {
      await makeRecords(t.db, one, anna, [{}]);
    }
  });

  async function roundsOf(query: Record<string, string | number>): Promise<number[]> {
    return (await find(query)).map(({ rounds_id }) => rounds_id).toSorted((a, b) => a - b);
  }

  const idsIn = (...made: readonly MadeRound[]) => made.map(({ rounds_id }) => rounds_id);

  it("takes name and business day of the start, deleted rounds too", async () => {
    const named = { rounds_name: "三场" };
    expect(await roundsOf(named)).toEqual(idsIn(friday, saturday, gone));
    expect(await roundsOf({ ...named, start_date: "2026-11-20" })).toEqual(idsIn(friday, gone));
    expect(await roundsOf({ ...named, start_date: "2026-11-21" })).toEqual(idsIn(saturday));
    expect(await roundsOf({ ...named, start_date: "2026-11-22" })).toEqual([]);
    expect(await roundsOf({ rounds_name: "三" })).toEqual([]);
  });

  it("takes the condition window as it is, both ends", async () => {
    expect(await roundsOf(window)).toEqual(idsIn(friday));
    const { achieve_end_time } = window;
    expect(await roundsOf({ achieve_end_time })).toEqual(idsIn(friday, saturday));
    expect(await roundsOf({ achieve_end_time: "2026-11-20 23:59:58" })).toEqual([]);
  });

  it("is combined with the round's id", async () => {
    const rounds_id = saturday.rounds_id;
    expect(await roundsOf({ rounds_id, rounds_name: "三场" })).toEqual([rounds_id]);
    expect(await roundsOf({ rounds_id, start_date: "2026-11-20" })).toEqual([]);
    expect(await roundsOf({ rounds_id: 9_007_199_254_740_991 })).toEqual([]);
  });
});

describe("the filter by platform", () => {
  it("finds players with a bet there that counts for the round", async () => {
    const at = (time: string) => new Date(`2026-11-20T${time}+08:00`);
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
    await sql`select ensure_month('bet', '2026-11-01')`.execute(t.db);
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
      const content = await find({ ...query, ...more });
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
