import { offencesAfter, oneRow } from "#test/falsified";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const AMOUNTS = "payout amounts against records (§6)";
const STATES = "payout states against attempts (§6)";

const t = useTestDb();

beforeAll(async () => {
  await makeHealthyPromotion(t.db);
});

async function payoutIn(state: string) {
  return await oneRow(
    t.db,
    `select log_id, rounds_id, player_key, amount_cents, turnover, attempts
     from payout where state = '${state}' order by log_id limit 1`,
  );
}

describe("a payout", () => {
  test.each(["amount_cents", "turnover", "rounds_id", "player_key"])(
    "with another %s than its record is found",
    async (column) => {
      const payout = await payoutIn("queued");
      const { log_id } = payout;
      const found = await offencesAfter(
        t.db,
        `update payout set ${column} = ${column} + 1 where log_id = ${log_id}`,
      );
      expect(found).toEqual({
        [AMOUNTS]: {
          table: "payout",
          ids: { log_id },
          expected: { [column]: payout[column] },
          found: { [column]: Number(payout[column]) + 1 },
        },
      });
    },
  );

  test("that is missing is found", async () => {
    const { log_id, amount_cents } = await payoutIn("queued");
    const found = await offencesAfter(t.db, `delete from payout where log_id = ${log_id}`);
    expect(found[AMOUNTS]).toMatchObject({
      table: "payout",
      ids: { log_id },
      expected: { amount_cents },
      found: null,
    });
  });

  test("without a record is found", async () => {
    const { log_id, amount_cents } = await payoutIn("queued");
    const found = await offencesAfter(t.db, `delete from draw_record where id = ${log_id}`);
    expect(found[AMOUNTS]).toMatchObject({
      ids: { log_id },
      expected: null,
      found: { amount_cents },
    });
  });

  test("with another message code than the round's is found", async () => {
    const { log_id } = await payoutIn("queued");
    const found = await offencesAfter(
      t.db,
      `update payout set red_code = 'WRONG' where log_id = ${log_id}`,
    );
    expect(found).toEqual({
      [AMOUNTS]: {
        table: "payout",
        ids: { log_id },
        expected: { red_code: expect.stringMatching(/^(RED_PACKET|OTHER_CODE)$/) },
        found: { red_code: "WRONG" },
      },
    });
  });
});

describe("the state of a payout", () => {
  test.each([
    [
      "paid, and no wallet ever said so",
      "queued",
      "state = 'paid', paid_at = now()",
      { wallet_said_paid: true },
      { wallet_said_paid: false },
    ],
    [
      "queued, and the wallet has paid",
      "paid",
      "state = 'queued', paid_at = null",
      { wallet_said_paid: false },
      { wallet_said_paid: true },
    ],
    [
      "refused, and nobody refused it",
      "unknown",
      "state = 'refused', fail_reason = 'x'",
      { wallet_said_refused: true },
      { wallet_said_refused: false },
    ],
    [
      "paid, but at no time",
      "paid",
      "paid_at = null",
      { has_paid_at: true },
      { has_paid_at: false },
    ],
  ])("cannot be %s", async (_what, state, change, expected, wrong) => {
    const { log_id } = await payoutIn(state);
    const found = await offencesAfter(
      t.db,
      "alter table payout drop constraint payout__paid_whole",
      `update payout set ${change} where log_id = ${log_id}`,
    );
    const after = /state = '(\w+)'/.exec(change)?.[1] ?? state;
    expect(found).toEqual({
      [STATES]: { table: "payout", ids: { log_id, state: after }, expected, found: wrong },
    });
  });

  test.each(["paid", "refused", "closed"])("cannot be %s when it was never sent", async (state) => {
    const { log_id } = await payoutIn(state);
    const found = await offencesAfter(
      t.db,
      `update payout_attempt set kind = 'callback' where log_id = ${log_id}`,
    );
    expect(found).toEqual({
      [STATES]: {
        table: "payout",
        ids: { log_id, state },
        expected: { was_sent: true },
        found: { was_sent: false },
      },
    });
  });

  test("is founded when the wallet spoke by itself of what was sent", async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from payout p
      where p.state = 'paid'
        and exists (select from payout_attempt a
                    where a.log_id = p.log_id and a.kind = 'callback' and a.outcome = 'paid')
        and not exists (select from payout_attempt a
                        where a.log_id = p.log_id and a.kind <> 'callback' and a.outcome = 'paid')
      `.execute(t.db);
    expect(rows[0]?.n).toBeGreaterThan(0);
    expect(await offencesAfter(t.db)).toEqual({});
  });

  test.each([
    ["waiting_delivery", "queued", true],
    ["queued", "waiting_delivery", false],
  ])("of %s cannot become %s", async (from, to, isPhysical) => {
    const { log_id } = await payoutIn(from);
    const found = await offencesAfter(
      t.db,
      "alter table payout drop constraint payout__physical",
      `update payout set state = '${to}' where log_id = ${log_id}`,
    );
    expect(found).toEqual({
      [STATES]: {
        table: "payout",
        ids: { log_id, state: to },
        expected: { is_physical: isPhysical },
        found: { is_physical: !isPhysical },
      },
    });
  });

  test("counts every attempt", async () => {
    const { log_id } = await payoutIn("unknown");
    const counted = await offencesAfter(
      t.db,
      `update payout set attempts = 7 where log_id = ${log_id}`,
    );
    expect(counted).toEqual({
      [STATES]: {
        table: "payout",
        ids: { log_id },
        expected: { attempts: 1 },
        found: { attempts: 7 },
      },
    });
    const deleted = await offencesAfter(
      t.db,
      `delete from payout_attempt where log_id = ${log_id}`,
    );
    expect(deleted[STATES]).toMatchObject({ ids: { log_id }, expected: { attempts: 0 } });
    const renumbered = await offencesAfter(
      t.db,
      `update payout_attempt set no = 5 where log_id = ${log_id}`,
    );
    expect(renumbered[STATES]).toMatchObject({
      ids: { log_id },
      expected: { last_attempt: 1 },
      found: { last_attempt: 5 },
    });
  });
});
