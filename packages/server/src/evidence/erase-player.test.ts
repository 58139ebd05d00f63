/**
 * A player with hard names, written wherever one can be, is erased: nothing names them, and all proofs hold.
 * `npm run prove -- erase`: one of 10,000.
 */
import { erasureRoutes } from "@red/contract/erasure";
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import { inOneView, inTransaction } from "#platform/connection";
import { referText, withNames } from "#platform/player-names";
import { drawQueue } from "#draws/draw-queue";
import type { DrawQueue } from "#draws/draw-queue";
import { reconcile } from "#finance/reconcile";
import { addStock } from "#rounds/change-prize";
import { OPERATOR } from "#test/activity-factory";
import { drawOnce } from "#test/draw-factory";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { depositOf, feed } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { runScript, sealAll, useLineFiles } from "#test/verifier";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";
import { roundProofLines } from "./round-proof.ts";
import { verify } from "./verify.ts";

const CROWD = Number(process.env["PROVE_N"] ?? 20);
/** Receipts that are asked for, before and after. */
const RECEIPTS = 200;
const ID = "zz-7.(x)";
const NAME = '张三 "Zoë"';

const t = useTestDb();
const app = useTestApp(t);
const lines = useLineFiles();
let player_key = 0;
let salt = "";
let cumulative = 0;
let queue: DrawQueue;
const erase = (account = NAME.toUpperCase()) =>
  inTransaction(t.db, async (tx) => {
    const reason = await referText(tx, `${account} asked`);
    return await erasePlayer(tx, { ...OPERATOR, reason }, account);
  });

/** Players beside the one who is erased; each deposits and draws. */
async function makeCrowd(rounds_id: number): Promise<void> {
  const things = t.db.selectFrom("prize").select("id").where("award_name", "=", "thing");
  const { id } = await things.executeTakeFirstOrThrow();
  await inTransaction(t.db, (tx) => addStock(tx, OPERATOR, id, CROWD));
  const queue = drawQueue(t.db);
  for (let at = 0; at < CROWD; at += 500) {
    const part = Array.from({ length: Math.min(500, CROWD - at) }, (_, i) => `crowd-${at + i}`);
    const deposits = part.map((player) => depositOf(player, { amount: "120.00" }));
    expect(await feed(t.db, "deposits", deposits)).toMatchObject({ accepted: part.length });
    await Promise.all(part.map((player) => drawOnce(queue, rounds_id, player)));
  }
}

beforeAll(async () => {
  // From now on messages about payouts are written.
  await t.sql`insert into webhook (url, secret) values ('http://127.0.0.1:9', '\\x00')`;
  ({ cumulative } = await makeHealthyPromotion(t.db));
  await makeCrowd(cumulative);
  const rows = await t.sql<{ player_key: number }>`
    select player_key from draw_record group by 1 order by count(*) desc limit 1`;
  player_key = rows[0]?.player_key ?? 0;
  await t.sql`update player set player_id = ${ID}, user_name = ${NAME}
    where player_key = ${player_key}`;
  queue = drawQueue(t.db);
  await drawOnce(queue, cumulative, ID);
  await t.sql`update draw_request set key = ${app.key}`;
  await sealAll(t.db);
  const salted = t.db.selectFrom("player_salt").select("salt").where("player_key", "=", player_key);
  salt = (await salted.executeTakeFirstOrThrow()).salt.toString("hex");
}, 600_000);

async function ownPayouts() {
  const rows = await t.sql<{ trans_sn: string; amount_cents: number; paid_at: Date }>`
    select trans_sn, amount_cents, paid_at from payout
    where player_key = ${player_key} and state = 'paid' order by log_id`;
  return rows;
}

/** Names what is told by the wallet, the operators and the system. */
async function nameEverywhere(): Promise<void> {
  const says = `told ${NAME.toUpperCase()}, that is ${ID}.`;
  await inTransaction(t.db, (tx) =>
    insertAudit(tx, OPERATOR, {
      action: "grant_extra_times",
      object_type: "extra_time",
      object_id: NAME,
      after: { user_names: ["other", NAME], skipped: [{ user_name: ID, reason: says }] },
      about: { player: [player_key] },
    }),
  );
  // As the release before wrote it.
  await t.sql`update audit_log set by_key = false where id = (select max(id) from audit_log)`;
  await t.sql`update payout_attempt set request = ${says}, answer = ${says}
    where log_id in (select log_id from payout where player_key = ${player_key})`;
  await t.sql`update payout set note = ${says}, wallet_ref = ${ID}
    where player_key = ${player_key}`;
  await t.sql`update deposit set reversed_at = now(), reversal_reason = ${says}
    where order_no = (select order_no from deposit where player_key = ${player_key} limit 1)`;
  await t.sql`insert into exclusion (player_key, kind, reason, source, made_by)
    values (${player_key}, 'self', ${says}, 'operator', 'x')`;
  const search = `?${new URLSearchParams({ user_name: NAME }).toString()}&page=2`;
  await t.sql`insert into saved_view (operator_id, page, view_name, search)
    select id, 'record', 'support', ${search} from operator`;
  await t.sql`insert into stop_switch (name, stopped_by, reason) values ('payouts', 'x', ${await referText(t.db, says)})`;
}

/** The statement of the wallet: the player's payments, one with another amount. */
async function readStatement(): Promise<void> {
  const pages = (await ownPayouts()).map((paid, at) => [
    {
      ...paid,
      amount_cents: paid.amount_cents + (at === 0 ? 1 : 0),
      player_id: ID,
      wallet_ref: ID,
    },
  ]);
  const span = { from_at: new Date("2020-01-01"), to_at: new Date(Date.now() + 60_000) };
  await reconcile(t.db, OPERATOR, { ...span, file_name: null, pages });
}

/** Tables whose rows hold one of the names, as text or in bytes. */
async function tablesNaming(): Promise<string[]> {
  const tables = await t.sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
    order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const sought = [ID, NAME, salt, JSON.stringify(NAME).slice(1, -1)].flatMap((text) => [
      text,
      Buffer.from(text).toString("hex"),
    ]);
    const rows = await t.sql<{ count: number }>`
      select count(*) as count from ${sql.raw(name)} x where exists (
        select from unnest(${sought}::text[]) s (text)
        where strpos(lower(row_to_json(x)::text), lower(s.text)) > 0
          or strpos(lower(row_to_json(x)::text), lower(to_json(s.text)::text)) > 0)`;
    if (Number(rows[0]?.count) > 0) {
      found.push(name);
    }
  }
  return found;
}

/** Receipts of draws, the player's first, that hold outside. */
async function heldReceipts(): Promise<string[]> {
  const rows = await t.sql<{ request_id: string }>`
    select q.request_id from draw_request q join draw_record r on r.id = q.log_id
    order by r.player_key <> ${player_key}, r.id limit ${RECEIPTS}`;
  const answers = await Promise.all(
    rows.map(({ request_id }) => app.open("GET", `/open/v1/draws/${request_id}/receipt`)),
  );
  const receipts = answers.map((answer) => answer.body);
  const { public_key } = (await app.open("GET", "/open/v1/checkpoints")).json<{
    public_key: string;
  }>();
  const file = lines(receipts.map((text) => JSON.parse(text) as unknown));
  const words = ["tools/verify-receipt.mjs", file, "--key", public_key];
  const { out } = await runScript(process.execPath, words);
  expect(out).toBe(`${rows.length} of ${rows.length} receipts hold\n`);
  return receipts;
}

/** Everything that is given out as evidence of all rounds. */
async function evidence(): Promise<string> {
  return await inOneView(t.db, async (view) => {
    const lines: string[] = [];
    for (const { id } of await view.selectFrom("activity").select("id").execute()) {
      for await (const line of roundProofLines(view, id)) {
        lines.push(line);
      }
    }
    return lines.join("");
  });
}

test("not while a payout is open, and not under an unknown account", async () => {
  const wrong = { user_name: NAME, code: "000000" };
  expect(await app.call(erasureRoutes.erase, { body: wrong })).toMatchObject({
    key: "player_owed",
  });
  expect(await t.db.selectFrom("login_failure").selectAll().execute()).toEqual([]);
  const owed = sql`state in ('queued', 'unknown', 'refused', 'check', 'sending', 'waiting_delivery')
    and player_key = ${player_key}`;
  await expect(erase()).rejects.toEqual(
    new AppError("player_owed", { count: expect.any(Number) as unknown as number }),
  );
  await t.sql`update payout set next_at = now() + interval '1 day'
    where state = 'queued' and player_key = ${player_key}`;
  await expect(erase()).rejects.toMatchObject({ key: "player_held" });
  await expect(erase("nobody")).rejects.toMatchObject({ key: "player_unknown" });
  // Given up by the wallet's word, the others handed over.
  await t.sql`insert into payout_attempt (log_id, no, kind, outcome)
    select log_id, 1 + (select count(*) from payout_attempt a where a.log_id = p.log_id), 'pay', 'refused'
    from payout p where amount_cents > 0 and ${owed}`;
  await t.sql`update payout p set state = 'closed', fail_reason = coalesce(fail_reason, 'closed'),
      lease_until = null, contested_state = null, contested_check_reason = null,
      attempts = (select count(*) from payout_attempt a where a.log_id = p.log_id)
    where amount_cents > 0 and ${owed}`;
  await t.sql`update payout set state = 'delivered', paid_at = now() where ${owed}`;
});

test("an operator confirms by a one-time code", async () => {
  const answer = await app.call(erasureRoutes.erase, { body: { user_name: NAME, code: "" } });
  expect(answer).toMatchObject({ code: 402, data: null });
  expect(await tablesNaming()).toContain("player");
});

test("nothing names the player, and every proof holds, after the next statement too", async () => {
  await nameEverywhere();
  expect(await t.db.selectFrom("saved_view").select("id").execute()).not.toEqual([]);
  await readStatement();
  expect(await tablesNaming()).toEqual(
    expect.arrayContaining(["audit_log", "deposit", "exclusion", "payout", "payout_attempt"]),
  );
  const before = await ownPayouts();
  const receipts = await heldReceipts();
  const about = sql`select count(*) as count from webhook_message where data->>'trans_sn' in (
    select trans_sn from payout where player_key = ${player_key})`;
  expect((await about.execute(t.db)).rows).not.toEqual([{ count: 0 }]);
  await sealAll(t.db, 50, "audit_log");
  const { player_id } = await erase();
  expect(player_id).toMatch(/^erased-[0-9a-f]{16}$/);
  expect(await tablesNaming()).toEqual([]);
  // In addresses the name looks otherwise.
  expect(await t.db.selectFrom("saved_view").select("search").execute()).toEqual([]);
  await readStatement();
  const rows = await t.sql<{ tables: string }>`
    select distinct player_id as tables from wallet_entry where trans_sn = ${before[0]?.trans_sn}`;
  expect(await withNames(t.db, rows)).toEqual([{ tables: player_id }]);
  expect(await tablesNaming()).toEqual([]);
  expect(await ownPayouts()).toEqual(before);
  await sealAll(t.db);
  await sealAll(t.db, 50, "audit_log");
  const given = await evidence();
  expect(given.length).toBeGreaterThan(CROWD * 100);
  expect([ID, NAME, JSON.stringify(NAME)].filter((name) => given.includes(name))).toEqual([]);
  // The player's own lose the salt that led to the id; the others are as they were.
  const drawn = await t.sql<{ count: number }>`
    select count(*) as count from draw_request q join draw_record r on r.id = q.log_id
    where r.player_key = ${player_key}`;
  const count = drawn[0]?.count ?? 0;
  expect(count).toBeGreaterThan(0);
  const saltless = (text: string) => text.replace(/"salt":"[0-9a-f]{64}"/, '"salt":null');
  expect(await heldReceipts()).toEqual([
    ...receipts.slice(0, count).map(saltless),
    ...receipts.slice(count),
  ]);
  const { checks } = await verify(t.db);
  expect(checks.map(({ offence }) => offence)).toEqual(checks.map(() => null));
  await expect(erase(player_id)).rejects.toMatchObject({ key: "player_erased" });
}, 600_000);

test("nobody draws or is fed under the former id or the name without meaning", async () => {
  const rows = await t.sql<{ name: string }>`
    select player_id as name from player where player_key = ${player_key}`;
  const name = rows[0]?.name ?? "";
  const row = { player_id: name, user_name: name, blocked: false };
  expect(await feed(t.db, "players", [row])).toMatchObject({
    rejected: [{ code: "player_mismatch" }],
  });
  // The process that drew for the player before remembers who that was.
  expect(await drawOnce(queue, cumulative, ID)).toEqual({ refused: "player_not_found" });
});

test("the platform may feed the same id again, as a new player", async () => {
  const deposit = { ...depositOf(ID), user_name: NAME };
  expect(await feed(t.db, "deposits", [deposit])).toMatchObject({ accepted: 1, rejected: [] });
});
