/**
 * Writes players with difficult names into every place that a call can write, and erases the players one after
 * another. Afterwards no row names them, no row of other players has changed, and all proofs are valid. `npm run
 * prove -- erase` runs 40 players in two minutes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { formatDateTime } from "@red/contract/platform/datetime";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import { REASON_HEADER } from "@red/contract/identity/session";
import { openLog } from "#platform/log";
import { deleteOldExports } from "#records/export-files";
import { ZONE } from "#test/activity-factory";
import { freshCode, openSession, setBand } from "#test/contract-world";
import { diceOf } from "#test/dice";
import { makeOperator } from "#test/factories";
import { makeFolder } from "#test/folder";
import { makeHealthyPromotion, payRest } from "#test/healthy-promotion";
import { feed } from "#test/ingest-factory";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { sealAll } from "#test/verifier";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { verify } from "./verify.ts";

const PLAYERS = Number(process.env["PROVE_N"] ?? 3);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);
const { below } = diceOf(SEED);

/**
 * Names that look like numbers, times, product words, an operator or ids of other players, and names that
 * programs often handle wrongly. `_` stands for a space.
 */
const NAMES =
  `59 00 200 10086 1.00 23:59 weekend closed paid risk unknown null RED-PACKET root-op p1 p44 张三 张三丰9号 王小9号员工1
  xiaoming88 XiaoMing889 user-name9 player.key1 O'Brien-77 50%off+x1 a\\b12345 <b>bold9</b> $1&{9}xyz [^9]+abc* =1+2|cmd9
  ＷＩＤＥ１２ Пётр-И9 İstanbul34 ΣΊΣΥΦΟΣ9 🐉dragon8 e\u0301clair99 zz-7.(x)9 Li_Wei_88 "Zoë"_77x ${"x".repeat(39)}7`
    .split(/\s+/)
    .map((name) => ({ name: name.replaceAll("_", " "), by: below(2 ** 30) }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ name }) => name);

const t = useTestDb();
const folder = makeFolder(afterAll);
const log: string[] = [];
const traced = openLog("trace", { write: (line) => void log.push(line) });
const app = useTestApp(t, { exports: folder, log: traced });
// A fixed time of day that contains no name of `NAMES`.
const TOMORROW = formatDateTime(new Date(Date.now() + 86_400_000), ZONE).replace(
  / .*/,
  " 12:34:56",
);

interface Player {
  readonly key: number;
  readonly id: string;
  readonly name: string;
  readonly former: string;
}
const gone: Player[] = [];
/** Former accounts that now belong to another player. */
const heirs: string[] = [];
let rounds_id = 0;

const idsOf = async (...query: Parameters<typeof sql>) =>
  (await t.sql<{ id: number }>(...query)).map(({ id }) => id);
const payoutsOf = ({ key }: Player, state: string) =>
  idsOf`select log_id as id from payout where player_key = ${key} and state = ${state}`;
const code = () => freshCode(t.db, app.services.secrets);

/** Returns the text without invisible characters, in lower case and normal width. */
const seen = (text: string) =>
  text
    .replaceAll(/[\u00AD\u200B\u200E]/g, "")
    .normalize("NFKC")
    .toLowerCase();
/**
 * Returns the name in full-width capitals with an invisible character, if Unicode normalization (NFKC) does not
 * change the name. Any other name is returned unchanged.
 */
const disguised = (name: string) =>
  name.normalize("NFKC") === name
    ? name
        .toUpperCase()
        .replaceAll(/[!-~]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfe_e0))
        .replace(/^[^]/u, "$&\u00AD")
    : name;

/** Returns the reason for an operator's call about two players. */
const why = (p: Player, q: Player) =>
  `给${p.name}さん补发，编号\u200B${p.id}\u200E；${disguised(p.name)} and ${q.name}, 原${p.former}`;
const headersOf = (reason: string) => ({ [REASON_HEADER]: encodeURIComponent(reason) });

async function sendFile(route: Route, name: string, rows: readonly unknown[][], fields = {}) {
  const cell = (one: unknown) => `"${String(one).replaceAll('"', '""')}"`;
  const bytes = rows.map((row) => row.map(cell).join(",")).join("\n");
  const answer = await upload(app, route, { bytes, filename: `${name}.csv`, fields });
  expect(answer, name).toMatchObject({ code: 200 });
}

/** Makes every operator's call that can name one player or two players. */
async function operate(p: Player, q: Player): Promise<void> {
  const { name } = p;
  const reason = why(p, q);
  const to = <R extends Route>(route: R, input: Parameters<typeof app.read<R>>[1]) =>
    app.read(route, input, headersOf(reason));
  const { extraTimes, exclusion, record, savedView, job, reconciliation } = ROUTES;
  const grant = { tag: "weekend", expire_time: TOMORROW };
  await to(extraTimes.create, { body: { user_name: name, ...grant } });
  const user_names = [name.toUpperCase(), q.name, "nobody-1", name];
  const { batch_id } = await to(extraTimes.grant, { body: { user_names, ...grant } });
  await to(extraTimes.takeBack, { body: { batch_id: batch_id ?? 0, reason } });
  await sendFile(extraTimes.accounts, name, [["账号"], [name]]);
  const rows = [p, q].map((one) => ({ user_name: one.name, kind: "risk" as const, reason }));
  await to(exclusion.create, { body: { rows } });
  for (const id of await idsOf`select id from exclusion where lifted_at is null`) {
    await to(exclusion.lift, { params: { id }, body: { reason } });
  }
  const head = ["账号", "类型", "原因"];
  await sendFile(exclusion.file, name, [head, [name, "风控", reason]]);
  await to(ROUTES.stopSwitch.stopPool, { params: { id: 1 }, body: { reason } });
  const search = `?${new URLSearchParams({ user_name: name }).toString()}`;
  const view = { page: "record", view_name: name, search };
  await to(savedView.save, { body: view });
  // The error text of PostgreSQL contains the row.
  const broken = await app.call(savedView.save, { body: { ...view, page: "broken" } });
  expect(broken).toMatchObject({ key: "internal" });
  await to(ROUTES.find.find, { body: { text: name } });
  await app.open("GET", `/open/v1/players/${encodeURIComponent(name)}/draws`);
  const query = { rounds_id: String(rounds_id), user_name: name, format: "csv" };
  const file = { path: record.exportFile.path, query };
  await to(ROUTES.ticket.create, { body: file });
  await to(job.exportFile, { body: file });
  const open = () => idsOf`select id from job where kind = 'export' and ended_at is null`;
  await until("the file is made", async () => (await open()).length === 0);
  // Moves the start times back, because an operator may not start so many exports in a minute.
  await t.sql`update job set started_at = started_at - interval '1 minute'`;
  const [again, ...closed] = await payoutsOf(p, "refused");
  const things = await payoutsOf(p, "waiting_delivery");
  await (again && to(record.reissue, { body: { log_ids: [again] } }));
  await (closed[0] && to(record.close, { body: { log_ids: closed.slice(0, 1), reason } }));
  await (things[1] && to(record.deliver, { body: { log_ids: things.slice(1), note: reason } }));
  // Statement rows: another amount, another player's payment, and a payment of no player.
  const paid = await t.sql<{ trans_sn: string }>`
    select trans_sn from payout where state = 'paid' and player_key in (${p.key}, ${q.key})`;
  const stated = [...paid.map(({ trans_sn }) => trans_sn), `stray-${p.key}`];
  const from = "2026-01-01 00:00:00";
  // If an account is also another player's id, the statement means that other player, and such rows stay. So this
  // test uses the id instead.
  const told = /^p\d+$/.test(name) ? p.id : name;
  const called = (at: number) => [p.id, told, p.id.toUpperCase(), told.toUpperCase()][at % 4];
  const entries = stated.map((sn, at) => [sn, "9.99", called(at), from, `${told}/${at}`]);
  const columns = ["trans_sn", "amount", "player_id", "paid_at", "wallet_ref"];
  const span = { from, to: TOMORROW };
  await sendFile(reconciliation.upload, name, [columns, ...entries], span);
  const ids = await idsOf`select id from reconciliation_break order by id desc limit 3`;
  await to(reconciliation.mend, { body: { ids, end: "accepted", reason } });
}

/** Makes changes that need a second person: one change stays waiting, one is rejected and one is approved. */
async function ask(p: Player, q: Player, token: string): Promise<void> {
  const reason = why(p, q);
  const headers = { ...headersOf(reason), token };
  const ids: number[] = [];
  for (const user_names of [[p.name, q.name], [p.name], [q.name, p.name]]) {
    const body = { user_names, tag: "dragon", expire_time: TOMORROW };
    const answer = await app.call(ROUTES.extraTimes.grant, { body }, headers);
    expect(answer).toMatchObject({ code: 202 });
    ids.unshift(...(await idsOf`select max(id) as id from approval`));
  }
  const [done = 0, refused = 0] = ids;
  await app.read(ROUTES.approval.approve, { body: { ids: [done] }, code: await code() });
  await app.read(ROUTES.approval.refuse, { params: { id: refused }, body: { reason } });
}

type Dump = ReadonlyMap<string, readonly string[]>;

/** Returns every row as JSON, by table. */
async function dump(): Promise<Dump> {
  const tables = await t.sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`;
  const dumped = tables.map(async ({ name }) => {
    const rows = await t.sql<{ row: string }>`
      select to_jsonb(x)::text as row from ${sql.table(name)} x`;
    return [name, rows.map(({ row }) => row)] as const;
  });
  return new Map(await Promise.all(dumped));
}

/**
 * Tables whose rows may change when a player is erased (behaviour §3). CHANGED: rows about the player. NEW: also
 * new rows about the player. ANY: any row, because exports may name anyone, sessions and codes are used, and
 * audit rows are counted.
 */
const CHANGED =
  /^(player|former_name|player_salt|draw_request|payout_attempt|payout|wallet_entry|saved_view|approval)$/;
const NEW = /^(erased_commitment|audit_log|audit_about)$/;
const ANY = /^(job|operator|risked|session|api_key|rollup_delta)$/;
const changes: Record<string, number> = {};

/** Returns rows that changed although they must not: their table is not listed, or the row is not about the player. */
async function misdone(before: Dump, after: Dump, { key, name }: Player): Promise<string[]> {
  const own = await t.sql<{ log_id: number; trans_sn: string }>`
    select log_id, trans_sn from payout where player_key = ${key}`;
  const numbers = new Set<unknown>(own.flatMap(({ log_id, trans_sn }) => [log_id, trans_sn]));
  const reference = new RegExp(`\uE000${key}[iI.\uE001]`);
  const isAbout = (table: string, text: string) => {
    const row = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isOwn =
      row["player_key"] === key || numbers.has(row["log_id"]) || numbers.has(row["trans_sn"]);
    const isNamed =
      (table === "audit_about" && row["object_id"] === String(key)) ||
      (table === "saved_view" && row["view_name"] === name);
    return isOwn || isNamed || reference.test(text);
  };
  const only = (one: Dump, other: Dump, may: readonly RegExp[]) =>
    [...one].flatMap(([table, rows]) => {
      const known = new Set(other.get(table));
      const changed = rows.filter((text) => !known.has(text));
      if (changed.length > 0) {
        changes[table] = (changes[table] ?? 0) + changed.length;
      }
      const isMeant = (text: string) =>
        ANY.test(table) || (may.some((one) => one.test(table)) && isAbout(table, text));
      return changed.filter((text) => !isMeant(text)).map((text) => table + text);
    });
  return [...only(before, after, [CHANGED]), ...only(after, before, [CHANGED, NEW])];
}

/** Fields that contain names or typed texts. */
const FIELDS =
  /^(user_names?|unknown|doubled|expired|blocked|excluded|already|(our_|their_)?player_id|view_name|search|wallet_ref|(\w+_)?reason|note|file_?name)$/;

function textsIn(value: unknown, field = ""): string[] {
  return typeof value === "string"
    ? [value].filter(() => FIELDS.test(field))
    : Object.entries(value ?? {}).flatMap(([key, one]) =>
        textsIn(one, Array.isArray(value) ? field : key),
      );
}

const WORD = /[^\p{Script=Han}\p{Script=Hiragana}\p{P}\p{S}\p{Z}]+/gu;

/**
 * Returns rows in which a name appears as a word in a name field or typed text. The row of a player who now has
 * the name does not count.
 */
function rowsNaming(rows: Dump, names: readonly string[]): string[] {
  const sought = names.map(seen);
  const isNaming = (text: string) => {
    const typed = seen(text.replaceAll(/\uE000[^\uE001]*\uE001/g, " "));
    const words = new Set(typed.match(WORD));
    // Names of several words and Chinese names are searched as a part of the text.
    const isLong = (name: string) => name.match(WORD)?.[0] !== name && typed.includes(name);
    return sought.some((name) => words.has(name) || isLong(name));
  };
  return [...rows.values()]
    .flat()
    .filter((row) => !row.includes('"erased_at": null'))
    .filter((row) => textsIn(JSON.parse(row)).some(isNaming));
}

/**
 * Counts how often names appear in a text. Only names with at least six characters and a digit count, because
 * they cannot mean anything else.
 */
function timesIn(text: string, names: readonly string[]): number {
  const all = seen(text);
  return names
    .filter((name) => name.length > 5 && /\d/.test(name))
    .flatMap((name) => [name, encodeURIComponent(name), Buffer.from(name).toString("hex")])
    .flatMap((form) => [...new Set([form, JSON.stringify(form).slice(1, -1)])])
    .reduce((sum, form) => sum + all.split(seen(form)).length - 1, 0);
}

/** Counts the names in all tables, in export files, and in the logs of the server and of PostgreSQL. */
async function occurrences(names: readonly string[]) {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  const files = readdirSync(path.join(folder, "exports"));
  const [place] = await t.sql<{ data_directory: string }>`show data_directory`;
  const postgres = path.join(place?.data_directory ?? "", "../postgres.log");
  return {
    tables: timesIn([...(await dump()).values()].join("\n"), names),
    files: timesIn(files.map((file) => read(path.join(folder, "exports", file))).join("\n"), names),
    logs: timesIn(log.join("") + read(postgres), names),
  };
}

test("every kind of call names them", async () => {
  await t.sql`insert into webhook (url, secret) values ('http://127.0.0.1:9', '\\x00')`;
  ({ cumulative: rounds_id } = await makeHealthyPromotion(t.db, PLAYERS + 9));
  await payRest(t.db);
  await t.sql`alter table saved_view add constraint broken check (page <> 'broken')`;
  const rename = (player_id: string, user_name: string) =>
    feed(t.db, "players", [{ player_id, user_name }]);
  for (const [at, name] of NAMES.slice(0, PLAYERS).entries()) {
    const id = `p${at + 1}`;
    const former = `${id}-name`;
    await rename(id, name);
    const [key = 0] = await idsOf`select player_key as id from player where player_id = ${id}`;
    gone.push({ key, id, name, former });
    const reversed =
      await t.sql`select order_no, to_json(created_at) as created_at, ${`因${disguised(name)}退款, ${gone[0]?.name}`} as reason
      from deposit where player_key = ${key} and reversed_at is null limit 1`;
    expect(await feed(t.db, "reversals", reversed)).toMatchObject({ accepted: 1 });
    if (at % 6 === 0) {
      await rename(`heir-${at}`, former);
      heirs.push(former);
    }
  }
  const next = (at: number) => gone[(at + 1) % gone.length] as Player;
  for (const [at, p] of gone.entries()) {
    await operate(p, next(at));
  }
  await makeOperator(t.db, "second-op", { roles: ["admin"] });
  const token = await openSession(t.db, "second-op");
  await setBand(t.db, "0.00");
  for (const [at, p] of gone.entries()) {
    await ask(p, next(at), token);
  }
  await setBand(t.db, "off");
  await payRest(t.db);
}, 600_000);

/** Ends the player's open payouts and then erases the player. */
async function erase(p: Player): Promise<void> {
  const reason = why(p, p);
  const body = { user_name: p.name.toUpperCase() };
  const call = async (given: string) =>
    await app.call(ROUTES.erasure.erase, { body, code: given }, headersOf(reason));
  const refused = await payoutsOf(p, "refused");
  const things = await payoutsOf(p, "waiting_delivery");
  if (refused.length + things.length > 0) {
    expect(await call("000000")).toMatchObject({ key: "player_owed" });
  }
  await (refused[0] && app.read(ROUTES.record.close, { body: { log_ids: refused, reason } }));
  await (things[0] && app.read(ROUTES.record.deliver, { body: { log_ids: things, note: reason } }));
  expect(await call("")).toMatchObject({ key: "proof_needed" });
  // This call fills the process's cache with the player's id.
  const drawn = async () => (await app.open("GET", `/open/v1/players/${p.id}/draws`)).statusCode;
  expect(await drawn()).toBe(200);
  const [fresh, before] = [await code(), await dump()];
  expect(await call(fresh)).toMatchObject({ code: 200, data: { left: [] } });
  expect(await misdone(before, await dump(), p), p.name).toEqual([]);
  expect(await call("000000")).toMatchObject({ key: "player_unknown" });
  expect(await t.sql`select from login_failure`).toEqual([]);
  expect(await drawn()).toBe(404);
}

test(`${PLAYERS} players, seed ${SEED}: nothing names the player, and every proof holds`, async () => {
  const seal = async () => [await sealAll(t.db), await sealAll(t.db, 50, "audit_log")];
  await seal();
  const names = gone.flatMap(({ id, name, former }) => [id, name, former]);
  const sought = names.filter((name) => !heirs.includes(name));
  const found = await occurrences(sought);
  for (const p of gone) {
    await erase(p);
  }
  await seal();
  // Running processes do this within seconds.
  await deleteOldExports(folder)(t.db);
  const left = await occurrences(sought);
  const naming = rowsNaming(await dump(), sought);
  const told = { seed: SEED, players: PLAYERS, found, left, naming: naming.length, changes };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  expect([naming, left]).toEqual([[], { tables: 0, files: 0, logs: 0 }]);
  const { checks } = await verify(t.db);
  expect(checks.map(({ offence }) => offence)).toEqual(checks.map(() => null));
}, 600_000);
