/**
 * Runs every operator call with every role on data full of marks. A role without permission must not see accounts,
 * amounts or texts about players, and no role may see a stored secret. A new call without an input below fails.
 */
import { fillPath } from "@red/contract/platform/route";
import type { Route } from "@red/contract/platform/route";
import {
  account,
  marked,
  MARKS,
  partOf,
  plain,
  playerAmount,
  walletWords,
} from "@red/contract/platform/marks";
import type { Mark } from "@red/contract/platform/marks";
import { HIDDEN } from "@red/contract/platform/money";
import { ROLE_NAMES, ROLES } from "@red/contract/platform/permissions";
import type { Permission, Role } from "@red/contract/platform/permissions";
import { reconciliationBreak } from "@red/contract/finance/reconciliation";
import { ROUTES } from "@red/contract/routes";
import * as XLSX from "@e965/xlsx";
import { everyRoute, fieldsOf } from "#test/contract-routes";
import type { NamedRoute } from "#test/contract-routes";
import { makeWorld, openSession } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { everyWrite, sendWrite } from "#test/contract-writes";
import { insertedId, makeExtraTime, makeOperator, makePlayer, makeRecords } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";
import { boundOperator, operatorId } from "#test/operator-factory";
import { until } from "#test/payout-factory";
import { rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { amountCell, maskBy, maskJsonBy } from "./mask.ts";
import type { Caller } from "./handlers.ts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";

const t = useTestDb();
const a = useTestApp(t);

const [ACCOUNT, ID, TOLD] = ["Zmarked77", "id-marked-77", "told of Zmarked77"];
const MARKED = /marked|4321\d\.|4,?321\d|4321\d{3}\b/;
/**
 * Every role may see the figures of a round and the prices in them (behaviour §9). In those calls only a price beside a
 * player is hidden.
 */
const BESIDE = /marked|4321[^7]\.|4,?321[^7]|(?:Z\*{3}7|i\*{3}7)[^}\n]*43217/;
const OF_ROUNDS = /^GET \/gred\/api\/(?:act\/\{id\}\/sheet|month|watch\/(?:board|stream))/;

const made: Record<string, string | number> = {};
let world: World;
let secrets: string[] = [];
const tokens = new Map<Role, string>();

async function markRecords() {
  const { db, over, player } = world;
  const other = await makePlayer(db, { player_id: `${ID}-2`, user_name: "Zmarked87" });
  const won = {
    state: "refused",
    award_price_cents: 4_321_765,
    payout: { fail_reason: TOLD, wallet_ref: TOLD },
  } as const;
  const [record] = await makeRecords(db, over, player, [won, { ...won, state: "closed" }]);
  await makeRecords(db, over, other, [won]);
  await makeRecords(db, world.open, player, [won, won, { ...won, state: "unknown" }]);
  const log_id = record?.log_id ?? 0;
  const attempt = { log_id, no: 1, kind: "pay", request: TOLD, answer: TOLD } as const;
  await db.insertInto("payout_attempt").values(attempt).execute();
  const span = { from_at: new Date(0), to_at: new Date(), statement_cents: 4_321_432 };
  const run = { ...span, source: "file", made_by: "x", file_name: TOLD } as const;
  const reconciliation_id = await insertedId(db.insertInto("reconciliation").values(run));
  const ours = { our_amount_cents: 4_321_654, our_player_id: ID, our_state: "paid" } as const;
  const theirs = { their_amount_cents: 4_321_543, their_player_id: ID, trans_sn: TOLD } as const;
  const broken = { reconciliation_id, kind: "wrong_amount", occurrence: 1, log_id } as const;
  const reading = { ...broken, ...ours, ...theirs, their_paid_at: new Date() };
  await db.insertInto("reconciliation_break").values(reading).execute();
  const signed = { rounds_id: over.rounds_id, no: 1, signed_by: "x", note: TOLD, figures: "{}" };
  await db
    .insertInto("sheet_sign_off")
    .values({ ...signed, hash: "0".repeat(64) })
    .execute();
  return log_id;
}

async function markOwn(name: string, log_id: number) {
  const operator_id = await operatorId(t.db, name);
  const job_id = await insertedId(t.db.insertInto("job").values({ operator_id, kind: "reissue" }));
  const row = { job_id, log_id, outcome: "refused", reason: TOLD } as const;
  await t.db.insertInto("job_row").values(row).execute();
  const told = {
    before: { reason: TOLD, rows: [{ user_name: ACCOUNT }] },
    after: { sum: "43214.32" },
  };
  const object = { object_type: "extra_time", object_id: ID, object_name: ACCOUNT, about: null };
  const plan = JSON.stringify([{ action: "grant_extra_times", ...object, ...told }]);
  const input = JSON.stringify({
    params: {},
    body: { user_name: ACCOUNT },
    fields: {},
    filename: null,
  });
  const change = { call: "POST /gred/api/extratimes", input, plan, reason: TOLD, risk_cents: 100 };
  const waiting = { maker_id: operator_id, made_by: name, expires_at: new Date(Date.now() + 9e7) };
  await t.db
    .insertInto("approval")
    .values({ ...change, ...waiting })
    .execute();
  return job_id;
}

/** Job ids by role: `jobs` are jobs with rows, `files` are jobs with a file. */
const jobs = new Map<Role, number>();
const files = new Map<Role, number>();

beforeAll(async () => {
  const small = await makeWorld(t.db, a.services.secrets);
  const player = await makePlayer(t.db, { player_id: ID, user_name: ACCOUNT });
  world = { ...small, player };
  await boundOperator(t.db, a.services.secrets, "bound-op", new Date(Date.now() - 600_000));
  const log_id = await markRecords();
  const fed = { user_name: ACCOUNT, created_at: new Date().toISOString() };
  await feed(t.db, "deposits", [depositOf(ID, { ...fed, amount: "43219.87" })]);
  await feed(t.db, "bets", [betOf(ID, { ...fed, valid_bet_amount: "43218.76" })]);
  await makeExtraTime(t.db, { player_key: player.player_key });
  const excluded = { player_key: player.player_key, kind: "self", until: null } as const;
  const by = { reason: TOLD, source: "operator", made_by: "x" } as const;
  await t.db
    .insertInto("exclusion")
    .values({ ...excluded, ...by })
    .execute();
  const stopped = { name: "payouts", stopped_by: "x", reason: TOLD, pool_id: null } as const;
  await t.db.insertInto("stop_switch").values(stopped).execute();
  for (const role of ROLE_NAMES) {
    await makeOperator(t.db, `as-${role}`, { roles: [role] });
    tokens.set(role, await openSession(t.db, `as-${role}`));
    jobs.set(role, await markOwn(`as-${role}`, log_id));
  }
  Object.assign(made, { log_id, operator: await operatorId(t.db, "bound-op") });
  const kept = await t.sql<{ one: string | null }>`
    select encode(token_hash, x) as one from session, unnest(array['hex', 'base64']) x
    union select encode(totp_secret, x) from operator, unnest(array['hex', 'base64']) x
    union select password_hash from operator`;
  secrets = [a.secret, a.token, ...kept.flatMap(({ one }) => (one === null ? [] : [one]))];
});

/** Returns the id to put into the path. */
function idIn(path: string, role: Role): number {
  const of: Readonly<Record<string, number | undefined>> = {
    act: world.over.rounds_id,
    pool: world.over.pool_id,
    prize: world.over.prize_id,
    record: Number(made["log_id"]),
    operator: Number(made["operator"]),
    job: (path.endsWith("/file") ? files : jobs).get(role),
  };
  return of[path.split("/")[3] ?? ""] ?? 0;
}

/** Runs a job that exports records to a file, and returns its id. */
async function makeFile(role: Role): Promise<number> {
  const query = { rounds_id: String(world.over.rounds_id), format: "csv" };
  const { method, path: url } = ROUTES.job.exportFile;
  const payload = { path: ROUTES.record.exportFile.path, query };
  const headers = { token: tokens.get(role) ?? "" };
  const answer = await a.app.inject({ method, url, headers, payload });
  const { job_id: id } = answer.json<{ data: { job_id: number } }>().data;
  await until("made", async () => (await rowOf(t.db, "job", { id })).ended_at !== null);
  return id;
}

const DAY = ["2020-01-01 00:00:00", "2030-01-01 00:00:00"] as const;

/** Returns values for fields that some call needs, and for filters that find one player. */
function valuesOf({ path }: Route): Record<string, unknown> {
  const [start, end] = DAY;
  const span = { start_time: start, end_time: end };
  const [now] = new Date(Date.now() + 8 * 3_600_000).toISOString().split("T");
  const rounds_id = world.over.rounds_id;
  const names = { user_name: ACCOUNT, player_name: ACCOUNT, user_names: [ACCOUNT, "Zmarked99"] };
  const round = { rounds_id, activity: world.open.rounds_id, pool_name: world.pool_name };
  const sum = { key: "guard_sum", value: "1.00" };
  const more = { kind: "deposit", source: "deposit", month: now?.slice(0, 7), text: ACCOUNT };
  return {
    ...names,
    ...span,
    ...round,
    ...sum,
    ...more,
    page: path.endsWith("/view") ? "record" : 1,
    achieve_start_time: start,
    achieve_end_time: end,
    topics: `overview,board:${world.open.rounds_id}`,
    rows: [{ user_name: ACCOUNT, kind: "self", reason: TOLD, until: null }],
  };
}

/**
 * Returns the inputs to try: the required fields alone, then with a filter for one player, then for both file formats.
 */
function inputsOf(route: Route): Record<string, unknown>[] {
  const schema = route.query ?? route.body;
  const fields = fieldsOf(schema);
  const { required = [] } =
    schema === undefined ? {} : z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const values = valuesOf(route);
  const more = route.path.endsWith("excel")
    ? ["start_time", "end_time"]
    : route.path.endsWith("lottimes")
      ? ["rounds_id"]
      : [];
  const taking = (names: readonly string[], changes: object = {}) => ({
    ...Object.fromEntries([...required, ...more, ...names].map((name) => [name, values[name]])),
    ...changes,
  });
  const one = fields.includes("user_name") ? [taking(["user_name"])] : [];
  const csv = fields.includes("format") ? [taking([], { format: "csv" })] : [];
  const bets = fields.includes("kind") && more.length > 0 ? [taking([], { kind: "betlog" })] : [];
  return [taking([]), ...one, ...csv, ...bets];
}

/** Returns the response as text, with a workbook as lines. Returns null if the call is rejected. */
async function answerOf(route: Route, role: Role, input: Record<string, unknown>) {
  const url = fillPath(route.path, { id: idIn(route.path, role) });
  const query = Object.fromEntries(Object.entries(input).map(([key, one]) => [key, String(one)]));
  const call = {
    method: route.method,
    url,
    headers: { token: tokens.get(role) ?? "" },
    ...(route.query === undefined ? {} : { query }),
    ...(route.body === undefined ? {} : { payload: input }),
  };
  if (route.access === "stream") {
    const { stream } = Object.assign(await a.app.inject({ ...call, payloadAsStream: true }));
    let text = "";
    for await (const part of (stream as () => AsyncIterable<Buffer>)()) {
      text += part.toString();
      if (text.includes("event: overview") && text.includes("event: board")) {
        break;
      }
    }
    return text;
  }
  const answer = await a.app.inject(call);
  if (/^\{"code":(?!200\b|0\b)/.test(answer.body)) {
    return null;
  }
  if (!String(answer.headers["content-type"]).includes("spreadsheet")) {
    return answer.body;
  }
  const sheets = Object.values(XLSX.read(answer.rawPayload).Sheets);
  return sheets.map((sheet) => XLSX.utils.sheet_to_csv(sheet)).join("\n");
}

const operatorRoutes = everyRoute().filter(({ route }) => route.auth.by === "operator");
const reads = operatorRoutes.filter(({ route }) => /read|download|stream/.test(route.access));
const seesAll = (role: Role) =>
  (["account.see", "amount.see"] as const).every((one) =>
    (ROLES[role] as readonly Permission[]).includes(one),
  );

function mayCall({ auth }: Route, role: Role): boolean {
  const held: readonly string[] = [...ROLES[role], "signed_in"];
  return (
    auth.by === "operator" &&
    [auth.permission, auth.also ?? auth.permission].every((one) => held.includes(one))
  );
}

const foundIn = (name: string, text: string) =>
  (OF_ROUNDS.test(name) ? BESIDE : MARKED).exec(text)?.[0] ??
  secrets.find((one) => text.includes(one));

/** True for calls that return data of players, judged by their schema or their file. */
const telling = ({ route }: NamedRoute): boolean =>
  route.access === "download"
    ? /record|excel|sheet|month|file/.test(route.path)
    : hasAccount(route.data);

function hasAccount(schema: z.core.$ZodType): boolean {
  const part = partOf(schema);
  return part.kind === "leaf"
    ? part.mark === "account"
    : part.kind === "object"
      ? Object.values(part.fields).some(hasAccount)
      : [part.of].flat().some(hasAccount);
}

test.each(ROLE_NAMES)("%s reads marks of players only where the role may", async (role) => {
  files.set(role, await makeFile(role));
  const shown = new Set<string>();
  for (const { name, route } of reads) {
    for (const input of inputsOf(route)) {
      const text = await answerOf(route, role, input);
      const told = `${name} ${JSON.stringify(input)} ${text?.slice(0, 400)}`;
      expect(text !== null, told).toBe(mayCall(route, role));
      const found = foundIn(name, text ?? "");
      expect(seesAll(role) ? secrets.includes(found ?? "-") : found !== undefined, told).toBe(
        false,
      );
      void (found !== undefined && shown.add(name));
    }
  }
  const right = reads.filter((one) => telling(one) && mayCall(one.route, role));
  expect(seesAll(role) ? right.filter(({ name }) => !shown.has(name)) : [...shown]).toEqual([]);
});

test.each(["viewer", "risk"] as const)(
  "%s filters by amounts with the sight of them",
  async (role) => {
    const query = { rounds_id: String(world.over.rounds_id), award_price: "43217.65" };
    const { record, older, job } = ROUTES;
    const calls: Route[] = [
      record.list,
      record.ids,
      record.exportFile,
      older.recordList,
      older.recordExport,
    ];
    const heard = await Promise.all(calls.map((route) => answerOf(route, role, query)));
    const asked = { path: record.exportFile.path, query };
    const { method, path: url } = job.exportFile;
    const headers = { token: tokens.get(role) ?? "" };
    const { body } = await a.app.inject({ method, url, headers, payload: asked });
    heard.push(body.includes("not_permitted") ? null : body);
    expect(heard.map((one) => one !== null)).toEqual(heard.map(() => role !== "viewer"));
  },
);

test.each(ROLE_NAMES.filter((role) => !seesAll(role)))(
  "what %s writes answers no mark",
  async (role) => {
    for (const write of everyWrite().filter(({ route }) => route.auth.by === "operator")) {
      const parts = await write.fixture.valid(world);
      const headers = { token: await openSession(t.db, `as-${role}`) };
      const { body } = await sendWrite(a, world, write, parts, headers);
      expect(foundIn(write.name, body), `${write.name} ${body.slice(0, 400)}`).toBeUndefined();
    }
  },
);

const FIELDS = MARKS.map((mark) => [mark, z.nullable(marked(mark, z.string()))]);
const SCHEMA = z.object({
  ...Object.fromEntries(FIELDS),
  list: z.array(z.record(z.string(), z.object({ none: z.string() }))),
});
const callerWith = (permissions: readonly Permission[] | null) =>
  ({ operator: permissions && { permissions } }) as unknown as Caller;

// All cases use the same schema, to check that the cached mask of one caller is not used for another.
test.each<[readonly Permission[] | null, readonly Mark[]]>([
  [null, MARKS],
  [["account.see", "amount.see"], MARKS],
  [["account.see"], ["account", "plain", "money", "secret"]],
  [["amount.see"], ["amount", "plain", "money", "secret"]],
  [[], ["plain", "money", "secret"]],
])("%s shows %s, and nothing without a mark", (permissions, shown) => {
  const all = Object.fromEntries(MARKS.map((mark) => [mark, `a ${mark}`]));
  const mask = maskBy(SCHEMA, callerWith(permissions));
  const { list, ...rest } = mask({ ...all, list: [{ a: { none: "x", foreign: "x" } }, null] });
  const hidden = (mark: Mark) => (mark === "account" ? "a***t" : HIDDEN);
  expect(rest).toEqual(
    Object.fromEntries(
      MARKS.map((mark) => [mark, shown.includes(mark) ? `a ${mark}` : hidden(mark)]),
    ),
  );
  expect(list).toEqual(
    shown === MARKS ? [{ a: { none: "x", foreign: "x" } }, null] : [{ a: { none: HIDDEN } }, null],
  );
  const empty = Object.fromEntries([...MARKS.map((mark) => [mark, null]), ["list", []]]);
  expect(mask(empty)).toEqual(empty);
});

const A = z.object({ a: plain() });
const FORMS = {
  list: z.array(plain()),
  map: z.record(z.string(), plain()),
  object: A,
  either: z.union([A, z.object({ b: account() })]),
  account: account(),
  reason: walletWords(),
  amount: playerAmount(),
  listed: reconciliationBreak.shape.trans_sn,
};

test.each<[keyof typeof FORMS, unknown, unknown]>([
  ["list", ["a"], ["a"]],
  ["list", { a: "a" }, { a: HIDDEN }],
  ["list", "a", HIDDEN],
  ["map", { x: "a" }, { x: "a" }],
  ["map", ["a"], [HIDDEN]],
  ["object", { a: "a", b: "b" }, { a: "a" }],
  ["object", ["a", { b: "", c: 0 }, null], [HIDDEN, { b: "", c: HIDDEN }, null]],
  ["object", "a", HIDDEN],
  ["object", undefined, undefined],
  ["either", { a: "a" }, { a: "a" }],
  ["either", { b: "Zoe77" }, { b: "Z***7" }],
  ["either", { c: "a" }, { c: HIDDEN }],
  ["account", "Zoe7", "Z***7"],
  ["account", "Zoe", HIDDEN],
  ["account", 1234, HIDDEN],
  ["account", ["Zoe7"], [HIDDEN]],
  ["reason", "unanswered", "unanswered"],
  ["reason", "past_retention", "past_retention"],
  ["reason", "Account Frozen", "Account Frozen"],
  ["reason", "account frozen: Zoe7", HIDDEN],
  ["reason", 7, HIDDEN],
  ["amount", "", ""],
  ["listed", "0".repeat(32), "0".repeat(32)],
  ["listed", "stray", HIDDEN],
])("%s of %j is shown as %j to who may see nothing", (form, value, shown) => {
  expect(maskBy(FORMS[form], callerWith([]))(value)).toEqual(shown);
  const json = JSON.stringify({ value });
  const masked = maskJsonBy(z.object({ value: FORMS[form] }), callerWith([]))(json);
  expect(masked).toBe(JSON.stringify({ value: shown }));
  expect(maskJsonBy(FORMS[form], callerWith(null))(json)).toBe(json);
});

test("an amount is a number in a file, but not where it is hidden", () => {
  expect([amountCell("1.50"), amountCell(HIDDEN)]).toEqual([{ number: "1.50" }, HIDDEN]);
});
