import { IDS_PER_CALL_MAX } from "@red/contract/limits";
import { recordRoutes } from "@red/contract/record";
import type { RecordPick } from "@red/contract/record";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

interface Picks {
  readonly content: readonly RecordPick[];
  readonly total: number;
}

async function pick(query: Record<string, string | number>): Promise<Picks> {
  const envelope = await app.call(recordRoutes.ids, { query: query as object });
  expect(envelope).toMatchObject({ code: 200, msg: "success" });
  // The application checks every answer against the contract in tests.
  return envelope.data as Picks;
}

let round: MadeRound;
let anna: MadePlayer;

beforeAll(async () => {
  round = await makeRound(t.db);
  anna = await makePlayer(t.db, { user_name: "Anna_01" });
});

it("names whom, how much and in which state, newest first", async () => {
  const [paid, refused, waiting] = await makeRecords(t.db, round, anna, [
    { state: "paid", created_at: new Date("2026-11-20T10:00:00Z") },
    { state: "refused", created_at: new Date("2026-11-20T10:00:01Z"), award_price_cents: 1250 },
    { created_at: new Date("2026-11-20T10:00:02Z"), award_price_cents: 0 },
  ]);
  const whose = { user_name: "Anna_01", award_name: "8.88 red packet" };
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

it("finds what the list finds under every filter", async () => {
  const ben = await makePlayer(t.db, { user_name: "ben" });
  await makeRecords(t.db, round, ben, [
    { state: "refused", award_name: "手机" },
    { state: "unknown" },
    { state: "closed" },
  ]);
  const filters = [
    {},
    { user_name: "BEN" },
    { award_status: 0 },
    { award_status: 1 },
    { award_status: 2 },
    { user_name: "ben", award_status: 2 },
    { award_name: "手" },
    { award_price: "12.50" },
    { rounds_id: round.rounds_id, award_status: 2 },
    { start_time: "2026-11-20 18:00:01", end_time: "2026-11-20 18:00:01" },
    { user_name: "nobody" },
  ];
  for (const filter of filters) {
    const query: object = { ...filter, size: 1000 };
    const listed = await app.call(recordRoutes.list, { query });
    const { content } = listed.data as { content: readonly RecordPick[] };
    const found = await pick(filter);
    expect([filter, found.content.map(({ log_id }) => log_id)]).toEqual([
      filter,
      content.map(({ log_id }) => log_id),
    ]);
    expect(found.total).toBe(content.length);
  }
});

it("stops at what one call takes, with the newest of them, and counts the rest", async () => {
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

it("refuses what it cannot read", async () => {
  const query: object = { award_price: "x" };
  expect(await app.call(recordRoutes.ids, { query })).toMatchObject({ code: 400 });
});
