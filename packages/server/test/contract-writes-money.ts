/** Writes of sessions, records, sheets, reconciliations and extra times. */
import { formatDateTime } from "@red/contract/platform/datetime";
import type { PayoutState } from "@red/contract/platform/codes";
import { startJob } from "#payouts/job-sql";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { readSheet } from "#finance/sign-sheet";
import { freshCode, makeEndedRound, openSession, unused, writes } from "#test/contract-world";
import type { Fixture, World } from "#test/contract-world";
import { insertedId, makeExtraTime, makePlayer, makeRecords } from "#test/factories";
import { operatorId, PASSWORD } from "#test/operator-factory";
import { TEST_SETTINGS } from "#test/test-app";

/** Makes a record in the ended round, with its payout in this state. */
async function recordIn({ db, over, player }: World, state: PayoutState): Promise<number> {
  const award_price_cents = state === "waiting_delivery" ? 0 : 888;
  const [made] = await makeRecords(db, over, player, [{ state, award_price_cents }]);
  return made?.log_id ?? 0;
}

function ofRecord(trace: string, state: PayoutState, more: object = {}): Fixture {
  return writes(trace, async (world) => ({
    body: { log_ids: [await recordIn(world, state)], ...more },
  }));
}

/** An open break: the wallet lists an unknown payment. */
async function openBreak({ db }: World): Promise<number> {
  const run = {
    from_at: new Date(0),
    to_at: new Date(),
    source: "call",
    made_by: "root-op",
  } as const;
  const reconciliation_id = await insertedId(db.insertInto("reconciliation").values(run));
  const stray = { kind: "extra", trans_sn: unused("stray"), occurrence: 1 } as const;
  return await insertedId(
    db.insertInto("reconciliation_break").values({ reconciliation_id, ...stray }),
  );
}

const SPAN = { from: "2024-03-01 00:00:00", to: "2024-03-31 23:59:59" };

function grant() {
  const expiry = new Date(Date.now() + 86_400_000);
  return { tag: "weekend", expire_time: formatDateTime(expiry, TEST_SETTINGS.timeZone) };
}

export const MONEY_WRITES: Readonly<Record<string, Fixture>> = {
  "POST /oauth/login": {
    valid: async () => ({ body: { username: "bound-op", password: PASSWORD } }),
    taken: 402,
    trace: { none: "without a code nobody has signed in" },
  },
  "POST /gred/api/logout": {
    ...writes("log_out operator", async () => ({})),
    token: ({ db }) => openSession(db, "root-op"),
  },
  "POST /gred/api/ticket": writes("create_ticket download after", async ({ pool_name }) => ({
    body: { path: "/gred/api/prize/export", query: { pool_name } },
  })),
  "POST /gred/api/record/reissue": ofRecord("reissue_records payout before after", "refused"),
  "POST /red/player/addBonus": ofRecord("reissue_records payout before after", "refused"),
  "PUT /gred/api/record/ask": ofRecord("ask_records payout before after", "check"),
  "PUT /gred/api/record/deliver": ofRecord(
    "deliver_records payout before after",
    "waiting_delivery",
  ),
  "PUT /gred/api/record/close": ofRecord("close_records payout before after", "refused", {
    reason: "账户已注销",
  }),
  "POST /gred/api/job/{id}/retry": writes("reissue_records payout before after", async (world) => {
    const log_ids = [await recordIn(world, "refused")];
    const root = await operatorId(world.db, "root-op");
    const start = (tx: Tx) => startJob(tx, "reissue", root, log_ids);
    return { params: { id: await inTransaction(world.db, start) } };
  }),
  "PUT /gred/api/job/seen": {
    valid: async () => ({ body: { ids: [1] } }),
    trace: { none: "only says what the operator has read" },
  },
  "POST /gred/api/job/export": writes("start_export job after", async ({ over }) => ({
    body: { path: "/gred/api/record/export", query: { rounds_id: String(over.rounds_id) } },
  })),
  "POST /gred/api/reconciliation": writes("reconcile reconciliation after", async () => ({
    body: SPAN,
  })),
  "POST /gred/api/reconciliation/upload": writes("reconcile reconciliation after", async () => ({
    form: {
      bytes: "trans_sn,amount,player_id,paid_at\nnobody-knows,1.00,p1,2024-03-02T00:00:00Z\n",
      filename: "statement.csv",
      fields: SPAN,
    },
  })),
  "PUT /gred/api/reconciliation/breaks": writes(
    "mend_break reconciliation_break before after",
    async (world) => ({
      body: { ids: [await openBreak(world)], end: "accepted", reason: "退款已核对" },
    }),
  ),
  "POST /gred/api/act/{id}/sheet/sign": writes("sign_sheet activity after", async (world) => {
    const { db, secrets } = world;
    const { rounds_id: id } = await makeEndedRound(db);
    const { hash } = await readSheet(db, id, TEST_SETTINGS.timeZone);
    return { params: { id }, body: { hash, code: await freshCode(db, secrets) } };
  }),
  "POST /gred/api/month/sign": writes("sign_sheet activity after", async ({ db, secrets }) => {
    const { rounds_id } = await makeEndedRound(db);
    const { hash } = await readSheet(db, rounds_id, TEST_SETTINGS.timeZone);
    return { body: { sheets: [{ rounds_id, hash }], code: await freshCode(db, secrets) } };
  }),
  "POST /gred/api/extratimes": writes("grant_extra_times extra_time after", async (world) => ({
    body: { user_name: world.player.user_name, ...grant() },
  })),
  "POST /gred/api/extratimes/grant": writes(
    "grant_extra_times extra_time after",
    async (world) => ({ body: { user_names: [world.player.user_name], ...grant() } }),
  ),
  "PUT /gred/api/extratimes/takeback": writes(
    "take_back_extra_times extra_time after",
    async ({ db, player: { player_key } }) => {
      const id = await makeExtraTime(db, { player_key, expire_time: new Date() });
      return { body: { id, reason: "发错了" } };
    },
  ),
  "POST /gred/api/exclusion": writes("exclude_players exclusion after", async ({ db }) => {
    const { user_name } = await makePlayer(db);
    return { body: { rows: [{ user_name, kind: "self", reason: "本人要求", until: null }] } };
  }),
  "PUT /gred/api/exclusion/{id}/lift": writes(
    "lift_exclusion exclusion before after",
    async ({ db }) => {
      const { player_key } = await makePlayer(db);
      const row = { player_key, kind: "risk", reason: "查", source: "file", made_by: "x" } as const;
      const id = await insertedId(db.insertInto("exclusion").values(row));
      return { params: { id }, body: { reason: "已核实" } };
    },
  ),
  "POST /gred/api/player/erase": writes("erase_player player after", async ({ db, secrets }) => {
    const { user_name } = await makePlayer(db);
    return { body: { user_name, code: await freshCode(db, secrets) } };
  }),
  "PUT /gred/api/webhook/redeliver": writes(
    "redeliver_messages webhook after",
    async ({ db, secrets }) => {
      const address = { url: "http://127.0.0.1:9/", secret: secrets.seal("webhook", "whsec_AAAA") };
      await db
        .insertInto("webhook")
        .values(address)
        .onConflict((on) => on.doNothing())
        .execute();
      const data = JSON.stringify({ rounds_id: 1, rounds_name: "round", rounds_status: 0 });
      const row = { type: "activity.paused", subject: "round 1", data } as const;
      const id = await insertedId(db.insertInto("webhook_message").values(row));
      return { body: { ids: [id] } };
    },
  ),
  "POST /gred/api/exclusion/file": {
    valid: async ({ player }) => ({
      form: { bytes: `账号,类型,原因\n${player.user_name},风控,查\n`, filename: "exclusions.csv" },
    }),
    trace: { none: "nothing is written" },
  },
  "POST /gred/api/extratimes/accounts": {
    valid: async ({ player }) => ({
      form: { bytes: `账号\n${player.user_name}\n`, filename: "accounts.csv" },
    }),
    trace: { none: "nothing is written" },
  },
};
