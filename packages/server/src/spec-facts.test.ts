/** What the specification says and a server answers: each fact is provoked and found, word for word. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { activityRoutes } from "@red/contract/activity";
import { formatDateTime } from "@red/contract/datetime";
import { PAYOUT_STATES, PLATFORM_CODES } from "@red/contract/lookups";
import { ensureDefaultMessageCode } from "#rounds/create-message-code";
import { inTransaction } from "#platform/connection";
import { endSession } from "#identity/session-sql";
import { tokenHash } from "#identity/operator-auth";
import { activityBody, prizeBody, ZONE } from "#test/activity-factory";
import { idIn, unused } from "#test/contract-fixture";
import { openSession } from "#test/contract-stage";
import { REPOSITORY } from "#test/entry-process";
import { makePlayer, makePool, makePrize, makeRecords, makeRound } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";
import { boundOperator, codeAt, newOperator, PASSWORD, wrongCodeAt } from "#test/operator-factory";
import { consoleText, placeholders, provoke, readFacts } from "#test/spec-facts";
import type { Bodies, Caller, Fact, Maker } from "#test/spec-facts";
import { TEST_SETTINGS, useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t, { consoleFolder: path.join(REPOSITORY, "packages/console/dist") });

const DAY = "2024-05-10";
const POOL = "舞台池";
const PLAYER = "fact-player";
const EARNER = "fact-earner";
const COLLECTOR = "fact-collector";
const EXTRA = "fact-extra";
const ROUND = "事实活动";
const RECORDS_ROUND = "事实记录活动";

const WINDOW = {
  achieve_start_time: new Date(`${DAY}T00:00:00+08:00`),
  achieve_end_time: new Date(`${DAY}T23:59:59+08:00`),
  start_time: new Date(`${DAY}T20:00:00+08:00`),
  end_time: new Date(`${DAY}T22:00:00+08:00`),
  start_date: DAY,
};

/** Ids by what the table calls them. */
const made = new Map<string, number>();

async function seedPlayers(): Promise<void> {
  const deposits = ["120.00", "450.00"].map((amount) =>
    depositOf("earner", { user_name: EARNER, amount }),
  );
  const bets = ["120.00", "450.00"].map((valid_bet_amount) =>
    betOf("earner", { user_name: EARNER, valid_bet_amount }),
  );
  const ofAllKinds = Array.from({ length: 9 }, (_, at) =>
    depositOf("collector", { user_name: COLLECTOR, channel: at + 1, client: (at % 3) + 1 }),
  );
  const ofAllPlatforms = PLATFORM_CODES.map((platform) =>
    betOf("collector", { user_name: COLLECTOR, platform }),
  );
  await feed(t.db, "deposits", [...deposits, ...ofAllKinds]);
  await feed(t.db, "bets", [...bets, ...ofAllPlatforms, betOf("fact", { user_name: PLAYER })]);
}

async function seedExtraTimes(player_key: number, log_id: number): Promise<void> {
  const soon = new Date(Date.now() + 86_400_000);
  const row = { player_key, tag: "weekend", expire_time: soon, granted_by: "root-op" };
  await t.db
    .insertInto("extra_time")
    .values([
      row,
      { ...row, used_log_id: log_id, used_rounds_id: made.get("records' round") ?? 0 },
      { ...row, expire_time: new Date("2024-05-10T12:00:00Z") },
    ])
    .execute();
}

beforeAll(async () => {
  execFileSync(process.execPath, ["tools/build.mjs", "console"], { cwd: REPOSITORY });
  await ensureDefaultMessageCode(t.db, TEST_SETTINGS.redCodeDefault);
  const pool_id = await makePool(t.db, { pool_name: POOL });
  await makePrize(t.db, { pool_id, award_name: "实物", award_price_cents: 0 });
  const counted = await makePool(t.db, { pool_name: "合计池" });
  await makePrize(t.db, { pool_id: counted, award_total: 15, weight: 1000 });
  await makePrize(t.db, { pool_id: counted, award_total: 25, weight: 2000 });
  const player = await makePlayer(t.db, { player_id: "fact", user_name: PLAYER });
  await seedPlayers();
  await makeRound(t.db, { pool_id, ...WINDOW, rounds_name: ROUND, condition_times: 5 });
  const round = await makeRound(t.db, { pool_id, ...WINDOW, rounds_name: RECORDS_ROUND });
  made.set("records' round", round.rounds_id);
  const physical = new Set(["waiting_delivery", "delivered"]);
  const states = PAYOUT_STATES.map((state) => ({
    state,
    award_price_cents: physical.has(state) ? 0 : 888,
  }));
  const records = await makeRecords(t.db, round, player, states);
  PAYOUT_STATES.forEach((state, at) => made.set(state, records[at]?.log_id ?? 0));
  const extra = await makePlayer(t.db, { player_id: "extra", user_name: EXTRA });
  await seedExtraTimes(extra.player_key, made.get("paid") ?? 0);
});

const always =
  (value: string | number): Maker =>
  async () =>
    String(value);

const known =
  (name: string): Maker =>
  async () =>
    String(made.get(name));

/** The authenticator of the operator made last. */
let seed = "";

async function bind(): Promise<string> {
  const name = unused("fact-bound");
  seed = await boundOperator(t.db, a.services.secrets, name, new Date(Date.now() - 600_000));
  return name;
}

async function paused(values: object = {}): Promise<string> {
  const pool = await t.db
    .selectFrom("pool")
    .select("id")
    .where("pool_name", "=", POOL)
    .executeTakeFirstOrThrow();
  const round = await makeRound(t.db, { pool_id: pool.id, rounds_status: 0, ...values });
  return String(round.rounds_id);
}

const BODIES: Bodies = {
  activity: () => activityBody({ pool_name: POOL, rounds_name: unused("fact-round") }),
  prize: () => prizeBody({ pool_name: POOL, award_name: unused("fact-prize") }),
};

async function create(changes: object): Promise<string> {
  const body = { ...BODIES["activity"]?.(), ...changes };
  const answer = await a.app.inject({
    method: "POST",
    url: activityRoutes.create.path,
    headers: { token: a.token, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  return String(idIn(answer.json<{ data: unknown }>().data));
}

/** `formula,type,name value draws`, or the name alone for the two without a condition. */
async function createByPreset(preset: string): Promise<string> {
  const [code = "", condition_value = "", condition_times = ""] = preset.split(" ");
  const [one = "", condition_type = "0", condition_name = one] = code.split(",");
  const condition_formula = code === one ? "0" : one;
  return await create({
    condition_name,
    condition_formula,
    condition_type,
    condition_value,
    condition_times,
    achieve_start_time: `${DAY} 00:00:00`,
    achieve_end_time: `${DAY} 23:59:59`,
  });
}

async function makeFreshPrize(values: object = {}): Promise<string> {
  const pool_name = unused("fact-pool");
  made.set(pool_name, await makePool(t.db, { pool_name }));
  lastPool = pool_name;
  return String(await makePrize(t.db, { pool_id: made.get(pool_name) ?? 0, ...values }));
}
let lastPool = "";

async function refuse(): Promise<string> {
  const player = await makePlayer(t.db);
  const [record] = await makeRecords(t.db, await makeRound(t.db), player, [{ state: "refused" }]);
  return String(record?.log_id);
}

const MAKERS: Readonly<Record<string, Maker>> = {
  token: always(a.token),
  password: always(PASSWORD),
  bound: bind,
  code: async () => codeAt(seed, new Date()),
  "wrong code": async () => wrongCodeAt(seed, new Date()),
  unbound: async () => {
    const name = unused("fact-unbound");
    await newOperator(t.db, a.services.secrets, name, new Date());
    return name;
  },
  day: always(DAY),
  future: async () => formatDateTime(new Date(Date.now() + 86_400_000), ZONE),
  new: async () => unused("fact-new"),
  "round name": always(ROUND),
  "records' round": known("records' round"),
  "records' round name": always(RECORDS_ROUND),
  "stage player": always(PLAYER),
  "stage pool": always(POOL),
  "counted pool": always("合计池"),
  earner: always(EARNER),
  collector: always(COLLECTOR),
  "extra player": always(EXTRA),
  activity: async () => await paused(),
  active: async () => await paused({ rounds_status: 1 }),
  created: async () => await create({}),
  preset: createByPreset,
  prize: async () => await makeFreshPrize(),
  "prize pool": async () => lastPool,
  physical: async () => await makeFreshPrize({ award_price_cents: 0 }),
  refused: refuse,
  paid: known("paid"),
  queued: known("queued"),
};

/** A session that is over in one way or another. */
async function over(how: string): Promise<string> {
  const token = await openSession(t.db, "root-op");
  if (how === "expired") {
    await sql`update session set created_at = now() - interval '13 hours'
      where token_hash = ${tokenHash(token)}`.execute(t.db);
  } else {
    const by = how === "ended" ? "other" : "logout";
    await inTransaction(t.db, (tx) => endSession(tx, tokenHash(token), by));
  }
  return token;
}

async function callerOf(name: string): Promise<Caller> {
  switch (name) {
    case "nobody":
      return { token: "", by: "nothing" };
    case "operator":
      return { token: a.token, by: "header" };
    case "english operator":
      return { token: a.token, by: "header", language: "en" };
    case "cookie":
    case "form":
      return { token: a.token, by: name };
    case "throwaway":
      return { token: await openSession(t.db, "root-op"), by: "header" };
    case "malformed":
      return { token: "x", by: "header" };
    case "ended":
    case "expired":
    case "signed out":
      return { token: await over(name), by: "header" };
    default:
      throw new Error(`nobody is called ${name}`);
  }
}

/** What the answer says instead, or null when it holds the fact. */
async function missing(fact: Fact): Promise<string | null> {
  const { fill, repeat } = placeholders(MAKERS);
  if (fact.caller === "console") {
    const text = await consoleText(a, fact.call.replace("GET ", ""));
    return text.includes(fact.expected) ? null : "it is nowhere in the console as it is served";
  }
  const call = await fill(fact.call);
  const body = await fill(fact.body);
  const answer = await provoke(a, { call, body, caller: await callerOf(fact.caller) }, BODIES);
  const expected = await repeat(fact.expected);
  const isThere = expected.startsWith("#")
    ? answer.rows === Number(expected.slice(1))
    : answer.text.includes(expected);
  return isThere ? null : `wanted ${expected}, answered ${answer.text.slice(-600)}`;
}

test("each fact of the specification is found in the server's answers", async () => {
  // As many activities as the lists of several sizes ask for.
  for (let at = 0; at < 50; at += 1) {
    await paused();
  }
  const facts = readFacts();
  const astray: string[] = [];
  for (const fact of facts) {
    const instead = await missing(fact);
    if (instead !== null) {
      astray.push(`§${fact.section} ${fact.fact}: ${fact.call}: ${instead}`);
    }
  }
  process.stdout.write(`${facts.length} facts, ${astray.length} missing\n`);
  expect(astray).toEqual([]);
  expect(facts.length).toBeGreaterThan(350);
});

test("a fact that is not so is missed", async () => {
  const [first] = readFacts();
  if (first === undefined) {
    throw new Error("the table is empty");
  }
  expect(await missing(first)).toBeNull();
  expect(await missing({ ...first, expected: first.expected.replace("0", "1") })).not.toBeNull();
});

test("no fact stands in the table twice", () => {
  const lines = readFacts().map(({ caller, call, body, expected }) =>
    [caller, call, body, expected].join("\t"),
  );
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
});
