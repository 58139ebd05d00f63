/** Fixtures of what a game platform calls. */
import { formatCents } from "@red/contract/money";
import { unused } from "#test/contract-fixture";
import type { Fixture, Parts, World } from "#test/contract-fixture";
import { each, one } from "#test/contract-cases";
import { code, platformAmount, whole } from "#test/contract-kinds-number";
import { flag, instant } from "#test/contract-kinds-other";
import { externalId, freeText, name } from "#test/contract-kinds-text";
import type { Kind, Words } from "#test/contract-cases";
import { makePlayer, makeRecords } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";

const ACCOUNT: Words = { max: 64, missing: "required" };
const CENT = "0.01";
const CREATED_AT = instant();

/** The one row of a call's list. */
function rowIn(sent: Parts, list: string): Record<string, unknown> {
  const rows = sent.body?.[list];
  const [row] = Array.isArray(rows) ? (rows as unknown[]) : [];
  // The fixtures below send lists of one object.
  return (row ?? {}) as Record<string, unknown>;
}

async function keptPlayer({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("player")
    .select(["player_id", "user_name", "blocked"])
    .where("player_id", "=", String(rowIn(sent, "players")["player_id"]))
    .executeTakeFirst();
  return { ...row };
}

async function keptDeposit({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("deposit as d")
    .innerJoin("player as p", "p.player_key", "d.player_key")
    .select(["order_no", "player_id", "user_name", "amount_cents", "channel", "client"])
    .select("d.created_at")
    .where("order_no", "=", String(rowIn(sent, "deposits")["order_no"]))
    .executeTakeFirst();
  return row === undefined
    ? {}
    : { ...row, amount: formatCents(row.amount_cents), created_at: row.created_at.toISOString() };
}

async function keptBet({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("bet as b")
    .innerJoin("player as p", "p.player_key", "b.player_key")
    .select(["bet_no", "player_id", "user_name", "valid_bet_cents", "platform", "b.created_at"])
    .where("bet_no", "=", String(rowIn(sent, "bets")["bet_no"]))
    .executeTakeFirst();
  return row === undefined
    ? {}
    : {
        ...row,
        valid_bet_amount: formatCents(row.valid_bet_cents),
        created_at: row.created_at.toISOString(),
      };
}

async function keptReversal({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("deposit")
    .select("reversal_reason as reason")
    .where("order_no", "=", String(rowIn(sent, "reversals")["order_no"]))
    .executeTakeFirst();
  return { ...row };
}

async function keptVoid({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("bet")
    .select("void_reason as reason")
    .where("bet_no", "=", String(rowIn(sent, "voids")["bet_no"]))
    .executeTakeFirst();
  return { ...row };
}

/** No row has this number and time. */
const NO_ROW = { against: "not_found", code: 404, words: "没有这个单号和时间的记录" } as const;
const REASON = freeText(200);

/** Months of rows in the tests lie near each other: each month is a table of its own. */
const AT = "2024-05-10T04:00:00.000Z";
/** Of what is reversed later; nothing else is as old as this. */
const REVERSED_AT = "2024-05-10T05:00:00.000Z";

function playerFields(): Record<string, Kind> {
  return { player_id: externalId(), user_name: name(ACCOUNT) };
}

/** Fixtures of ingest calls by method and path. */
export const INGEST_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /open/v1/players": {
    rows: "players",
    valid: async () => ({
      body: { players: [{ player_id: unused("p"), user_name: unused("account") }] },
    }),
    fields: () => ({ ...playerFields(), blocked: flag() }),
    kept: keptPlayer,
    trace: { action: "ingest_players", object_type: "player", tells: ["after"] },
  },
  "POST /open/v1/deposits": {
    rows: "deposits",
    valid: async () => ({
      body: {
        deposits: [
          depositOf(unused("p"), {
            order_no: unused("d"),
            created_at: AT,
            user_name: unused("account"),
          }),
        ],
      },
    }),
    fields: () => ({
      order_no: externalId(),
      ...playerFields(),
      amount: platformAmount(CENT),
      channel: code({ values: [1, 2, 3, 4, 5, 6, 7, 8, 9] }),
      client: code({ values: [1, 2, 3] }),
      created_at: CREATED_AT,
    }),
    kept: keptDeposit,
    trace: { action: "ingest_deposits", object_type: "deposit", tells: ["after"] },
  },
  "POST /open/v1/bets": {
    rows: "bets",
    valid: async () => ({
      body: {
        bets: [
          betOf(unused("p"), { bet_no: unused("b"), created_at: AT, user_name: unused("account") }),
        ],
      },
    }),
    fields: () => ({
      bet_no: externalId(),
      ...playerFields(),
      valid_bet_amount: platformAmount(CENT),
      platform: code({ values: [1234, 2234, 3234, 5234, 6234, 7234] }),
      created_at: CREATED_AT,
    }),
    kept: keptBet,
    trace: { action: "ingest_bets", object_type: "bet", tells: ["after"] },
  },
  "POST /open/v1/deposits/reversals": {
    rows: "reversals",
    valid: async ({ db, stage }) => {
      const { player_id, user_name } = stage.player;
      const row = depositOf(player_id, {
        user_name,
        order_no: unused("d"),
        created_at: REVERSED_AT,
      });
      await feed(db, "deposits", [row]);
      return { body: { reversals: [{ order_no: row.order_no, created_at: REVERSED_AT }] } };
    },
    fields: () => ({
      order_no: externalId(() => NO_ROW),
      created_at: instant((kept) => (kept === REVERSED_AT ? {} : NO_ROW)),
      reason: REASON,
    }),
    kept: keptReversal,
    trace: { action: "reverse_deposits", object_type: "deposit", tells: ["after"] },
  },
  "POST /open/v1/bets/voids": {
    rows: "voids",
    valid: async ({ db, stage }) => {
      const { player_id, user_name } = stage.player;
      const row = betOf(player_id, { user_name, bet_no: unused("b"), created_at: REVERSED_AT });
      await feed(db, "bets", [row]);
      return { body: { voids: [{ bet_no: row.bet_no, created_at: REVERSED_AT }] } };
    },
    fields: () => ({
      bet_no: externalId(() => NO_ROW),
      created_at: instant((kept) => (kept === REVERSED_AT ? {} : NO_ROW)),
      reason: REASON,
    }),
    kept: keptVoid,
    trace: { action: "void_bets", object_type: "bet", tells: ["after"] },
  },
};

const NO_ROUND = { against: "round_not_found", code: 404 } as const;
const NO_PLAYER = { against: "player_not_found", code: 404 } as const;

/** A request by a player of its own, who has five draws. */
async function aDraw({ db, stage }: World): Promise<Record<string, unknown>> {
  const { player_id } = await makePlayer(db);
  return { request_id: unused("r"), rounds_id: stage.open.rounds_id, player_id };
}

async function keptDraw({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const request_id = sent.body?.["request_id"] ?? rowIn(sent, "draws")["request_id"];
  const row = await db
    .selectFrom("draw_request as q")
    .innerJoin("draw_record as r", "r.id", "q.log_id")
    .innerJoin("player as p", "p.player_key", "r.player_key")
    .select(["q.request_id", "q.rounds_id", "p.player_id"])
    .where("q.request_id", "=", String(request_id))
    .executeTakeFirst();
  return { ...row };
}

function drawFields(): Record<string, Kind> {
  return {
    request_id: externalId(),
    rounds_id: whole({ min: 1, max: Number.MAX_SAFE_INTEGER }, () => NO_ROUND),
    player_id: externalId(() => NO_PLAYER),
  };
}

async function keptPayout({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("payout")
    .select(["state", "amount_cents", "fail_reason", "wallet_ref"])
    .where("trans_sn", "=", String(sent.params?.["trans_sn"]))
    .executeTakeFirst();
  return row === undefined
    ? {}
    : { amount: formatCents(row.amount_cents), wallet_ref: row.wallet_ref };
}

/** Fixtures of draws and payouts by method and path. */
export const DRAW_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /open/v1/draws": {
    valid: async (world) => ({ body: await aDraw(world) }),
    fields: drawFields,
    kept: keptDraw,
    taken: [200, 201],
    trace: { none: "the record is the trace, sealed in a chain of its own" },
  },
  "POST /open/v1/draws/batch": {
    rows: "draws",
    valid: async (world) => ({ body: { draws: [await aDraw(world)] } }),
    fields: drawFields,
    kept: keptDraw,
    trace: { none: "the record is the trace, sealed in a chain of its own" },
  },
  "POST /open/v1/payouts/{trans_sn}/result": {
    valid: async ({ db, stage }) => {
      const sent = { state: "unknown", payout: { attempts: 1 } } as const;
      const [made] = await makeRecords(db, stage.over, stage.player, [sent]);
      const { log_id = 0, trans_sn = "" } = made ?? {};
      // A word about what was never sent is no wallet's.
      await db.insertInto("payout_attempt").values({ log_id, no: 1, kind: "pay" }).execute();
      return {
        params: { trans_sn },
        body: { status: "paid", amount: "8.88" },
      };
    },
    fields: () => ({
      status: [
        ...each(["null", "1", '""', '"Paid"', '"processing"', '"paid "', "[]", "{}", "true"], {
          refuse: "not_in_set",
        }),
        ...one("absent", null, { refuse: "not_in_set" }),
        ...one("refused", '"refused"', {}),
      ],
      amount: platformAmount("0.00", (kept) =>
        kept === "8.88" ? { kept } : { against: "payout_result_mismatch", code: 409 },
      ),
      reason: freeText(200, { isNullGood: true }).map((one) =>
        "kept" in one.expect ? { ...one, expect: {} } : one,
      ),
      // Null or nothing is fine, and spaces around it are dropped.
      wallet_ref: externalId((kept) => (kept === kept.trim() ? { kept } : {})).map((one) =>
        one.json === null || one.json === "null" ? { ...one, expect: { kept: null } } : one,
      ),
    }),
    params: () => ({ trans_sn: externalId(() => ({ against: "payout_not_found", code: 404 })) }),
    kept: keptPayout,
    trace: { action: "take_payout_word", object_type: "payout", tells: ["before", "after"] },
  },
};
