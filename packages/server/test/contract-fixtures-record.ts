/** Fixtures of sessions, tickets, records and extra times. */
import { formatDateTime } from "@red/contract/datetime";
import type { PayoutState } from "@red/contract/lookups";
import { trace } from "#test/contract-fixture";
import type { Fixture, Parts, World } from "#test/contract-fixture";
import { each, few, one } from "#test/contract-cases";
import { code } from "#test/contract-kinds-number";
import { dateTime, idList } from "#test/contract-kinds-other";
import { freeText, knownName, passing, secret, trimmedText } from "#test/contract-kinds-text";
import type { Kind } from "#test/contract-cases";
import { openSession } from "#test/contract-stage";
import { makeRecords } from "#test/factories";
import { PASSWORD } from "#test/operator-factory";
import { TEST_SETTINGS } from "#test/test-app";

/** A record of the stage's player whose payout is in this state. */
async function recordIn({ db, stage }: World, state: PayoutState): Promise<number> {
  const award_price_cents = state === "waiting_delivery" ? 0 : 888;
  const [made] = await makeRecords(db, stage.over, stage.player, [{ state, award_price_cents }]);
  return made?.log_id ?? 0;
}

/** What the operator wrote, under the names of both calls. */
async function keptNote({ db }: World, sent: Parts): Promise<Record<string, unknown>> {
  const [log_id] = [sent.body?.["log_ids"]].flat();
  const row = await db
    .selectFrom("payout")
    .select("note")
    .where("log_id", "=", Number(log_id))
    .executeTakeFirst();
  return { note: row?.note ?? null, reason: row?.note };
}

const NOT_REFUSED = { against: "reissue_none", code: 409 } as const;
const NOT_WAITING = {
  against: "record_not_waiting",
  code: 409,
  words: "标记发货失败",
} as const;
const NOT_CHECK = { against: "record_not_check", code: 409, words: "查询失败" } as const;
const NOT_CLOSABLE = { against: "record_not_closable", code: 409, words: "关闭失败" } as const;
const RECORDS = { missing: "choose_records", unknown: NOT_REFUSED } as const;

/** A second list beside a right one: ids of it that are none of the right ones do not matter. */
const MORE_RECORDS = idList({ ...RECORDS, isOptional: true }).map((one) =>
  "against" in one.expect ? { ...one, expect: {} } : one,
);

/** Fixtures of records by method and path. */
export const RECORD_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/record/reissue": {
    valid: async (world) => ({ body: { log_ids: [await recordIn(world, "refused")] } }),
    fields: () => ({ log_ids: idList(RECORDS), log: MORE_RECORDS }),
    trace: trace("reissue_records", "payout", "before", "after"),
  },
  "PUT /gred/api/record/ask": {
    valid: async (world) => ({ body: { log_ids: [await recordIn(world, "check")] } }),
    fields: () => ({ log_ids: idList({ missing: "choose_questions", unknown: NOT_CHECK }) }),
    trace: trace("ask_records", "payout", "before", "after"),
  },
  "PUT /gred/api/record/deliver": {
    valid: async (world) => ({ body: { log_ids: [await recordIn(world, "waiting_delivery")] } }),
    fields: () => ({
      log_ids: idList({ missing: "choose_deliveries", unknown: NOT_WAITING }),
      note: freeText(200, { isNullGood: true, isEmptyNull: true }),
    }),
    kept: keptNote,
    trace: trace("deliver_records", "payout", "before", "after"),
  },
  "PUT /gred/api/record/close": {
    valid: async (world) => ({
      body: { log_ids: [await recordIn(world, "refused")], reason: "账户已注销" },
    }),
    fields: () => ({
      log_ids: idList({ missing: "choose_closings", unknown: NOT_CLOSABLE }),
      reason: trimmedText({ max: 200, missing: "enter_close_reason" }),
    }),
    kept: keptNote,
    trace: trace("close_records", "payout", "before", "after"),
  },
  "POST /red/player/addBonus": {
    valid: async (world) => ({ body: { id: await recordIn(world, "refused") } }),
    fields: () => ({
      log_ids: MORE_RECORDS,
      log: MORE_RECORDS,
      id: idList({ ...RECORDS, isSingleGood: true }),
    }),
    trace: trace("reissue_records", "payout", "before", "after"),
  },
};

function expiry(): string {
  return formatDateTime(new Date(Date.now() + 86_400_000), TEST_SETTINGS.timeZone);
}

/** The newest extra time of all. */
async function keptExtraTime({ db }: World): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("extra_time as e")
    .innerJoin("player as p", "p.player_key", "e.player_key")
    .select(["p.user_name", "e.tag", "e.expire_time"])
    .orderBy("e.id", "desc")
    .executeTakeFirst();
  return row === undefined
    ? {}
    : { ...row, expire_time: formatDateTime(row.expire_time, TEST_SETTINGS.timeZone) };
}

function extraTimeFields() {
  const unknownTag = { against: "tag_unknown", code: 400 } as const;
  const past = ["2024-02-29 00:00:00", "1970-01-02 00:00:00"].map((at) => JSON.stringify(at));
  const future = ["2400-02-29 23:59:59", "9998-12-31 23:59:59"];
  return {
    tag: knownName({ max: 64, missing: "enter_times_group" }, unknownTag),
    expire_time: [
      ...dateTime("choose_expiry", future),
      ...each(past, { refuse: "expiry_in_past" }),
    ],
  };
}

const NO_PLAYER = { against: "player_unknown", code: 404 } as const;

/** Lists of accounts as such; what an account may be is tried where there is one. */
const ACCOUNTS: Kind = [
  ...each(["null", '""', '"stage-player"', "{}", "[]", "7", "true"], { refuse: "enter_account" }),
  ...one("absent", null, { refuse: "enter_account" }),
  ...each(["[null]", "[7]", '[""]', '[" "]', "[[]]", "[{}]"], { refuse: "enter_account", at: "0" }),
  ...each([String.raw`["a\u0000"]`, String.raw`["\ud800"]`], { refuse: "bad_characters", at: "0" }),
  ...each(['["nobody"]', '["<script>alert(1)</script>"]'], NO_PLAYER),
  ...each(['["nobody","stage-player"]', '["stage-player","STAGE-player"]'], {}),
  ...one("10,001 accounts", JSON.stringify(Array.from({ length: 10_001 }, (_, at) => `p${at}`)), {
    refuse: "too_many",
    values: { max: 10_000 },
  }),
];

/** Expiries of their own for a list of one account. */
const OWN_EXPIRIES: Kind = [
  ...one("absent", null, {}),
  ...each(["null", '""', "{}", "7", "true", "[]", "[null,null]"], { refuse: "expiry_for_each" }),
  ...each(["[7]", '[""]', "[[]]", "[{}]"], { refuse: "choose_expiry", at: "0" }),
  ...each(['["2026-02-30 00:00:00"]', '["soon"]'], { refuse: "not_a_date_time", at: "0" }),
  ...each(["[null]", '["9998-12-31 23:59:59"]'], {}),
];

/** No name is that of the plan. */
const PLANS: Kind = [
  ...one("absent", null, {}),
  ...each(['"none"', '"<script>"'], { against: "stale_list", code: 409 }),
];

/** Fixtures of extra times by method and path. */
export const EXTRA_TIME_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/extratimes": {
    valid: async ({ stage }) => ({
      body: { user_name: stage.player.user_name, tag: "weekend", expire_time: expiry() },
    }),
    fields: () => ({
      user_name: knownName({ max: 64, missing: "enter_account" }, NO_PLAYER),
      ...extraTimeFields(),
    }),
    kept: keptExtraTime,
    trace: trace("grant_extra_times", "extra_time", "after"),
  },
  "POST /gred/api/extratimes/grant": {
    valid: async ({ stage }) => ({
      body: { user_names: [stage.player.user_name], tag: "weekend", expire_time: expiry() },
    }),
    fields: () => ({
      user_names: ACCOUNTS,
      ...extraTimeFields(),
      expire_times: OWN_EXPIRIES,
      plan: PLANS,
    }),
    kept: keptExtraTime,
    trace: trace("grant_extra_times", "extra_time", "after"),
  },
  "POST /gred/api/extratimes/accounts": {
    valid: async ({ stage }) => ({
      form: { bytes: `账号\n${stage.player.user_name}\n`, filename: "accounts.csv" },
    }),
    trace: { none: "nothing is written" },
  },
};

const TICKET_PATH = "/gred/api/prize/export";

/** Addresses of downloads are texts that begin with a slash. */
const PATHS: Kind = [
  ...one("absent", null, { refuse: "required" }),
  ...each(["null", "7", "true", "[]", "{}"], { refuse: "not_a_text" }),
  ...each(['""', '" "', '"a"', '"http://example.org/"', '"..."', '"javascript:alert(1)"'], {
    refuse: "not_in_set",
  }),
  ...one("too long", JSON.stringify(`/${"x".repeat(200)}`), {
    refuse: "too_long",
    values: { max: 200 },
  }),
  ...each([String.raw`"/a\u0000"`, String.raw`"/a\ud800"`], { refuse: "bad_characters" }),
  ...one("script", '"/<script>alert(1)</script>"', {}),
];

const FILTERS: Kind = [
  ...one("absent", null, { refuse: "required" }),
  ...one("null", "null", { refuse: "required" }),
  ...each(["7", '""', '"x"', "[]", "true"], { refuse: "not_an_object" }),
  ...each(['{"a":7}', '{"a":null}', '{"a":[]}', '{"a":{}}'], { refuse: "not_a_text", at: "a" }),
  ...one("too long", JSON.stringify({ a: "x".repeat(501) }), {
    refuse: "too_long",
    values: { max: 500 },
    at: "a",
  }),
  ...each([String.raw`{"a":"\u0000"}`, String.raw`{"a":"\ud800"}`], {
    refuse: "bad_characters",
    at: "a",
  }),
  ...each(["{}", '{"pool_name":"<script>alert(1)</script>"}'], {}),
];

/** Fixtures of sessions and tickets by method and path. */
export const SESSION_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /oauth/login": {
    valid: async () => ({ body: { username: "bound-op", password: PASSWORD } }),
    fields: () => ({
      // Each sign-in that is taken costs the work of a password's hash.
      username: few(trimmedText({ max: 128, missing: "enter_username" }, () => ({}))),
      name: few(
        trimmedText({ max: 128, missing: "enter_username" }, () => ({})).map((field) =>
          field.json === null ? { ...field, expect: {} } : field,
        ),
      ),
      password: few(secret({ max: 1024, missing: "enter_password" })),
      pid: code({ values: [2], missing: "not_in_set", isOptional: true }, () => ({})),
      code: few(passing()),
      secret: few(passing()),
    }),
    taken: [0, 402, 407, 1001, 1002],
    trace: { none: "without a code nobody has signed in" },
  },
  "POST /gred/api/logout": {
    valid: async () => ({}),
    token: ({ db }) => openSession(db, "root-op"),
    trace: trace("log_out", "operator"),
  },
  "POST /gred/api/ticket": {
    valid: async () => ({ body: { path: TICKET_PATH, query: { pool_name: "舞台池" } } }),
    fields: () => ({ path: PATHS, query: FILTERS }),
    trace: trace("create_ticket", "download", "after"),
  },
};
