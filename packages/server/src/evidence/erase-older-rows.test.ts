/**
 * Tests rows of the previous release, which contain players' names instead of references: which names the erasing
 * cuts, which rows it only counts, and which rows it does not touch.
 */
import { erasureRoutes } from "@red/contract/evidence/erasure";
import { insertAudit } from "#platform/audit";
import type { AuditEntry } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import { accountRef } from "#platform/player-names";
import { OPERATOR } from "#test/activity-factory";
import { tampered } from "#test/falsified";
import { makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";

const t = useTestDb();

type Row = Omit<AuditEntry, "action"> & { readonly action?: string; readonly reason?: string };

/** Inserts an audit row that looks like a row of the previous release. */
async function older({ reason = "", ...row }: Row): Promise<number> {
  const actor = { ...OPERATOR, reason: reason || null };
  const action = "grant_extra_times";
  await inTransaction(t.db, (tx) => insertAudit(tx, actor, { action, ...row }));
  const rows = await t.sql<{ id: number }>`
    update audit_log set by_key = false where id = (select max(id) from audit_log) returning id`;
  return rows[0]?.id ?? 0;
}

const textsOf = async (id: number) =>
  (
    await t.sql<{ texts: unknown[] }>`
      select audit_texts(l)::jsonb as texts from audit_log l where id = ${id}`
  )[0]?.texts;

const erase = async (account: string) =>
  (await inTransaction(t.db, (tx) => erasePlayer(tx, { ...OPERATOR, reason: null }, account))).data;

test.each(["00", "59", "weekend", "closed", "200", "10086", "root-op", "İz9"])(
  "nothing of others changes when %s is erased, nor what is no name",
  async (account) => {
    const { player_key, player_id } = await makePlayer(t.db, { user_name: account });
    const other = await makePlayer(t.db, { player_id: account });
    await makeRecords(t.db, await makeRound(t.db), other, [
      { state: "paid", payout: { note: `for ${account}` } },
    ]);
    await t.sql`insert into wallet_entry (trans_sn, occurrence, amount_cents, player_id, paid_at)
      values (${account}, 1, 100, ${account}, now())`;
    await t.sql`insert into stop_switch (name, pool_id, stopped_by, reason) values ('pool', ${player_key}, 'x', ${account})`;
    const entry = { object_type: "extra_time", object_id: account } as const;
    const values = {
      tag: account,
      expire_time: `2026-12-05 23:${account}:59`,
      value: `${account}.00`,
      risk: account,
    };
    const theirs = [
      { ...entry, after: { user_name: account, ...values }, about: { player: [other.player_key] } },
      { object_type: "setting", object_id: account, after: values },
      { object_type: "player", object_id: account, about: { player: [other.player_key] } },
    ];
    const ids = [];
    for (const row of theirs) {
      ids.push(await older({ ...row, reason: `said ${account}` }));
    }
    const before = [await Promise.all(ids.map(textsOf)), await t.sql`select * from payout`];
    // This row is about both players. The erasing must cut only the erased player's account.
    await t.sql`update player set user_name = ${`${account}-then`} where player_key = ${other.player_key}`;
    const shared = await older({
      ...entry,
      after: {
        user_names: ["else", account.toUpperCase()],
        blocked: [`${account}-then`],
        ...values,
      },
      about: { player: [player_key, other.player_key] },
      reason: `因${account}申诉, not ${account}x`,
    });
    const { player_id: name, left } = await erase(account);
    expect([await Promise.all(ids.map(textsOf)), await t.sql`select * from payout`]).toEqual(
      before,
    );
    expect(await textsOf(shared)).toEqual([
      name,
      null,
      { user_names: ["else", name], blocked: [`${account}-then`], ...values },
      `因${name}申诉, not ${account}x`,
    ]);
    expect(await t.sql`select player_id from wallet_entry where trans_sn = ${account}`).toEqual([
      { player_id: account },
    ]);
    expect(left).toEqual(
      expect.arrayContaining([
        { place: "audit_log", rows: 4 },
        { place: "stop_switch", rows: 1 },
        { place: "payout", rows: 1 },
      ]),
    );
    expect(
      await t.sql`select after -> 'left' as left from audit_log where object_id = ${accountRef(player_key)} and action = 'erase_player'`,
    ).toEqual([{ left }]);
    expect(player_id).not.toBe(account);
    await clear(t.db, "audit_log", "stop_switch");
    await t.sql`update payout set note = null`;
  },
);

test("a former account is removed from rows of its time, and stays in rows of its later owner", async () => {
  const { player_key } = await makePlayer(t.db, { user_name: "was-mine-1" });
  const later = await makePlayer(t.db, { user_name: "now-mine-1" });
  await t.sql`update player set user_name = 'not-yet-1' where player_key = ${later.player_key}`;
  const about = { player: [player_key] };
  const mine = await older({ object_type: "player", object_id: "was-mine-1", about });
  await t.sql`update player set user_name = 'now-mine-1' where player_key = ${player_key}`;
  await t.sql`update player set user_name = 'was-mine-1' where player_key = ${later.player_key}`;
  const both = await older({
    object_type: "extra_time",
    after: { user_names: ["was-mine-1", "now-mine-1"] },
    about: { player: [player_key, later.player_key] },
  });
  // Sets the row's time to the moment when one account ended and the next account began. The other player has had
  // both accounts.
  await t.sql`update audit_log set at = (select to_at from former_name where player_key = ${player_key})
    where id = ${both}`;
  // A row of this release. The search for names does not find the account inside this text.
  const glued = { ...OPERATOR, reason: "now-mine-1now-mine-1" };
  const entry = { action: "reconcile", object_type: "setting" } as const;
  await inTransaction(t.db, (tx) => insertAudit(tx, glued, entry));
  await t.sql`insert into wallet_entry (trans_sn, occurrence, amount_cents, player_id, paid_at)
    values ('stray', 1, 1, 'NOW-MINE-1', now()), ('stray', 2, 1, 'was-mine-1', now())`;
  const { player_id, left } = await erase("now-mine-1");
  const stated =
    await t.sql`select player_id from wallet_entry where trans_sn = 'stray' order by occurrence`;
  expect(stated).toEqual(
    [`\uE000${player_key}i\uE001`, "was-mine-1"].map((one) => ({ player_id: one })),
  );
  expect(left).toEqual([
    { place: "audit_log", rows: 2 },
    { place: "wallet_entry", rows: 1 },
  ]);
  expect([await textsOf(mine), await textsOf(both)]).toEqual([
    [player_id, null, null, null],
    [null, null, { user_names: ["was-mine-1", player_id] }, null],
  ]);
});

/**
 * Inserts for a player's rows with a text in one column, by table and column. `$key`, `$log` and `$sn` are values
 * of the player, and `$text` is the text.
 */
const ROWS: Readonly<Record<string, string>> = {
  "deposit reversal_reason": `(id, order_no, player_key, amount_cents, channel, client, created_at, reversed_at, reversal_reason)
    values ($log, '$sn', $key, 1, 1, 1, '2024-05-10', '2024-05-11', $text)`,
  "bet void_reason": `(id, bet_no, player_key, valid_bet_cents, platform, created_at, voided_at, void_reason)
    values ($log, '$sn', $key, 1, 1234, '2024-05-10', '2024-05-11', $text)`,
  "job_row reason": "(job_id, log_id, reason) values (1, $log, $text)",
  "exclusion reason": `(player_key, kind, reason, source, made_by) values ($key, 'risk', $text, 'file', 'x')`,
  "exclusion lift_reason": `(player_key, kind, reason, source, made_by, lifted_by, lifted_at, lift_reason)
    values ($key, 'risk', 'r', 'file', 'x', 'x', now(), $text)`,
  "extra_time_taken_back reason": `(id, player_key, tag, expire_time, granted_by, created_at, taken_back_at, taken_back_by, reason)
    values ($log, $key, 'weekend', now(), 'x', now(), now(), 'x', $text)`,
  "reconciliation_break reason": `(reconciliation_id, kind, trans_sn, occurrence, log_id, end_kind, ended_by, ended_at, reason)
    values (1, 'missing', '$sn', 1, $log, 'accepted', 'x', now(), $text)`,
  "wallet_entry wallet_ref": `(trans_sn, occurrence, amount_cents, player_id, paid_at, wallet_ref) values ('$sn', 1, 1, 'x', now(), $text)`,
  "wallet_entry player_id": `(trans_sn, occurrence, amount_cents, player_id, paid_at) values ('$sn', 2, 1, $text, now())`,
  "reconciliation_break their_player_id": `(reconciliation_id, kind, trans_sn, occurrence, log_id, their_player_id)
    values (1, 'missing', '$sn', 2, $log, $text)`,
  "stop_switch reason": "(name, pool_id, stopped_by, reason) values ('pool', $key, 'x', $text)",
  "sheet_sign_off note":
    "(rounds_id, no, signed_by, hash, figures, note) values (1, $key, 'x', '', '{}', $text)",
  ...Object.fromEntries(
    ["reason", "note", "input", "plan"].map((column) => {
      const text = ["input", "plan"].includes(column) ? "jsonb_build_array($text)" : "$text";
      const of = (name: string, other: string) => (name === column ? text : other);
      return [
        `approval ${column}`,
        `(call, made_by, expires_at, risk_cents, decided_at, state, reason, note, input, plan)
         values ('a', 'x', now(), 1, now(), 'refused', ${of("reason", "'r'")}, ${of("note", "null")},
           ${of("input", "'{}'")}, ${of("plan", "'[]'")})`,
      ];
    }),
  ),
};
/** Tables whose rows are about one player. */
const OWN = /^(deposit|bet|payout|job_row|exclusion|extra_time|reconciliation|wallet)/;
const PAYOUT_TEXTS = ["fail_reason", "note", "wallet_ref"];

test("typed texts in the player's own rows are cut; other texts that may name the player are counted", async () => {
  const round = await makeRound(t.db);
  const made: { player_key: number; log_id: number; trans_sn: string; text: string }[] = [];
  // Texts of the player, of another player, and texts in which no word is the name.
  for (const [user_name, text] of [
    ["58", "因58."],
    ["other-58", "因58."],
    ["third-58", "x58 583"],
  ] as const) {
    const player = await makePlayer(t.db, { user_name });
    const payout = Object.fromEntries(PAYOUT_TEXTS.map((name) => [name, text]));
    const paid = await makeRecords(t.db, round, player, [{ state: "paid", payout }]);
    made.push(...paid.map((one) => ({ ...one, player_key: player.player_key, text })));
  }
  const inserts = Object.entries(ROWS).flatMap(([place, values]) =>
    made.map(({ player_key, log_id, trans_sn, text }) =>
      `insert into ${place.split(" ")[0]} ${values}`
        .replaceAll("$key", String(player_key))
        .replaceAll("$log", String(log_id))
        .replaceAll("$sn", String(trans_sn))
        .replaceAll("$text", `'${text}'`),
    ),
  );
  const months = "select ensure_month('deposit', '2024-05-01'), ensure_month('bet', '2024-05-01');";
  const columns = [...Object.keys(ROWS), ...PAYOUT_TEXTS.map((name) => `payout ${name}`)];
  await tampered(t.db, sql.raw(months + inserts.join(";")), async (tx) => {
    const { player_id, left } = (await erasePlayer(tx, OPERATOR, "58")).data;
    for (const place of columns) {
      const [table = "", column = ""] = place.split(" ");
      const { rows } = await sql<{ text: string | null }>`
        select ${sql.ref(column)}::text as text from ${sql.table(table)}`.execute(tx);
      const named = (name: string) =>
        rows.filter(({ text }) => text?.includes(`因${name}.`)).length;
      const wanted = OWN.test(place) ? [1, 1] : [0, 2];
      expect([place, named(player_id), named("58")]).toEqual([place, ...wanted]);
    }
    const counts = { approval: 8, stop_switch: 2, sheet_sign_off: 2, payout: 1, exclusion: 2 };
    const more = { extra_time_taken_back: 1, reconciliation_break: 2, job_row: 1, wallet_entry: 2 };
    expect(Object.fromEntries(left.map(({ place, rows }) => [place, rows]))).toEqual({
      ...counts,
      ...more,
    });
  });
});

test("waiting changes that name the player are dropped, with a note to their makers; others stay", async () => {
  const { player_key } = await makePlayer(t.db, { user_name: "59" });
  const maker_id = await makeOperator(t.db, "maker");
  await t.sql`insert into operator (name, password_hash, bind_until) values (${OPERATOR.name}, 'x', now()) on conflict do nothing`;
  const wait = async (call: string, reason: string, input: object, plan: object[] = [{}]) => {
    const rows = await t.sql<{ id: number }>`
      insert into approval (call, input, file, maker_id, made_by, expires_at, reason, risk_cents, plan)
      values (${call}, ${JSON.stringify(input)}, 'x', ${maker_id}, 'maker', now() + interval '1 h', ${reason}, 1, ${JSON.stringify(plan)})
      returning id`;
    return rows[0]?.id ?? 0;
  };
  const erasing = `${erasureRoutes.erase.method} ${erasureRoutes.erase.path}`;
  const own = [
    await wait("a", `for ${accountRef(player_key)}`, {}),
    await wait("a", "r", { body: { user_names: [accountRef(player_key)] } }),
    await wait("a", "r", { body: { user_name: "59" } }),
    await wait("a", "r", {}, [{ after: { user_names: ["x", "59"] } }]),
    await wait("a", "因59加次数", {}),
    await wait("a", "r", { filename: "list.csv" }),
  ];
  const listed = { action: "ask_approval", object_type: "approval", object_id: own.at(-1) ?? 0 };
  await older({ ...listed, about: { player: [player_key] } });
  const run = await wait(erasing, "59 asked", { body: { user_name: "59" } });
  const others = [
    await wait("a", "r", { body: { expire_time: "2026-12-05 23:59:59", tag: "59" } }, [
      { after: { value: "59.00" } },
    ]),
    await wait("a", `for ${accountRef(player_key * 10)}`, {}),
  ];
  const before =
    await t.sql`select * from approval where id = any(${others}::bigint[]) order by id`;
  const terms = { language: "zh", isApproved: true } as const;
  const { data } = await inTransaction(t.db, (tx) =>
    erasePlayer(tx, { ...OPERATOR, reason: null }, "59", terms),
  );
  expect(
    await t.sql`select * from approval where id = any(${others}::bigint[]) order by id`,
  ).toEqual(before);
  const dropped =
    await t.sql`select state, note, input, file, plan, decided_by, decider_id is not null as is_known, reason from approval where id = any(${own}::bigint[]) order by id`;
  const gone = {
    state: "refused",
    note: "该修改涉及的玩家已清除资料，修改已作废",
    input: {},
    file: null,
    plan: [],
    decided_by: OPERATOR.name,
    is_known: true,
  };
  expect(dropped).toEqual(
    [`for ${accountRef(player_key)}`, "r", "r", "r", `因${data.player_id}加次数`, "r"].map(
      (reason) => ({
        ...gone,
        reason,
      }),
    ),
  );
  expect(await t.sql`select state, reason, input from approval where id = ${run}`).toEqual([
    {
      state: "waiting",
      reason: `${data.player_id} asked`,
      input: { body: { user_name: data.player_id } },
    },
  ]);
});
