/** Rows of earlier releases, which name players by their names: what erasing cuts of them, and what it only counts (behaviour §3). */
import { isDeepStrictEqual } from "node:util";
import type { ErasureLeft } from "@red/contract/erasure";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Tx } from "#platform/connection";
import { cutTexts } from "#platform/player-names";
import { lower } from "./erase-player-sql.ts";
import type { Names } from "./erase-player-sql.ts";
import { changeFields } from "./name-fields.ts";

interface OlderRow {
  readonly id: number;
  readonly at: Date;
  readonly is_named: boolean;
  readonly object_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  /** Names of the player that another player of the row has, or had. */
  readonly shared: readonly string[];
}

/** Rows of the audit log that are about the player: by reference, or as their object. */
async function selectOwnRows(tx: Tx, { player_key, written }: Names): Promise<OlderRow[]> {
  const { rows } = await sql<OlderRow>`
    with own as (
      select lower(name) as name from unnest(${written}::text[]) o (name)
    ), other as (
      select player_key::text as key, user_name as name from player
      where user_name_key in (select name from own) and player_key <> ${player_key}
      union
      select player_key::text, user_name from former_name
      where user_name_key in (select name from own) and player_key <> ${player_key}
    )
    select l.id, l.at, l.object_id, l.before, l.after, l.reason,
      l.object_type = 'player' or l.action = 'grant_extra_times' as is_named,
      array(select other.name from other join audit_about b
        on b.audit_id = l.id and b.object_type = 'player' and b.object_id = other.key) as shared
    from audit_log l
    where not l.by_key and (
      l.id in (select audit_id from audit_about where object_type = 'player' and object_id = ${String(player_key)})
      or l.object_type = 'player' and lower(l.object_id) in (select name from own)
        and not exists (select from audit_about where audit_id = l.id and object_type = 'player'))
    order by l.id`.execute(tx);
  return rows;
}

/** A function that tells whether a name in a row's name field is the player's. */
function isOwnIn({ player_id, accounts }: Names, { at, shared }: OlderRow) {
  return (text: string) => {
    const name = lower(text);
    const spans = accounts.filter((span) => span.name === name);
    const isHeld = spans.some(
      ({ from_at, to_at }) => from_at <= at && (to_at === null || at < to_at),
    );
    const isShared = shared.some((one) => lower(one) === name);
    return isHeld || ((spans.length > 0 || text === player_id) && !isShared);
  };
}

/**
 * Puts `instead` into the name fields of older rows about the player, and into the reasons and notes there. Answers hashes
 * of their texts by id: their seals hold on, and these hashes are sealed with the row of the erasing.
 */
export async function cutOlderRows(
  tx: Tx,
  names: Names,
  instead: string,
): Promise<Record<string, string>> {
  const ids: number[] = [];
  const rows = await selectOwnRows(tx, names);
  const same = (text: string) => text;
  const typed = new Set(rows.flatMap(({ reason }) => reason ?? []));
  const note = (text: string) => (typed.add(text), text);
  changeFields(rows, { name: same, text: note });
  const texts = [...typed];
  const cut = await cutTexts(tx, texts, names.player_key, instead);
  const cutOf = new Map(texts.map((text, at) => [text, cut[at] ?? text]));
  const inText = (text: string) => cutOf.get(text) ?? text;
  for (const row of rows) {
    const isOwn = isOwnIn(names, row);
    const inName = (text: string) => (isOwn(text) ? instead : text);
    const { id, is_named, object_id, before, after, reason } = row;
    const was = { object_id, before, after, reason };
    const now = {
      object_id: object_id !== null && is_named ? inName(object_id) : object_id,
      ...(changeFields({ before, after }, { name: inName, text: inText }) as Pick<
        OlderRow,
        "before" | "after"
      >),
      reason: reason && inText(reason),
    };
    if (!isDeepStrictEqual(was, now)) {
      ids.push(id);
      await sql`
        update audit_log set object_id = ${now.object_id}, before = ${now.before && JSON.stringify(now.before)}::jsonb,
          after = ${now.after && JSON.stringify(now.after)}::jsonb, reason = ${now.reason}
        where id = ${id}`.execute(tx);
    }
  }
  const { rows: hashes } = await sql<{ id: number; hash: string }>`
    select id, encode(sha256(convert_to(audit_texts(l), 'UTF8')), 'hex') as hash
    from audit_log l where id = any(${ids}::bigint[]) order by id`.execute(tx);
  return Object.fromEntries(hashes.map(({ id, hash }) => [id, hash]));
}

/** In a pattern: one of the letters and digits that a name may stand among, as player-names.ts divides texts. */
const RUN = String.raw`[^[:space:][:punct:][:cntrl:]\u2000-\u206f\u2e80-\u303f\u3400-\u4dbf\u4e00-\u9fff\ue000\ue001\uf900-\ufaff\uff00-\uff0f\uff1a-\uff20]`;

/** A pattern for a name as a whole run. */
function patternOf(name: string): string {
  const text = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const isRunAt = {
    first: /^[^\p{Script=Han}\p{P}\p{S}\p{Z}\p{Cc}]/u,
    last: /[^\p{Script=Han}\p{P}\p{S}\p{Z}\p{Cc}]$/u,
  };
  const before = isRunAt.first.test(name) ? `(?<!${RUN})` : "";
  return `${before}${text}${isRunAt.last.test(name) ? `(?!${RUN})` : ""}`;
}

/** Texts in a row of JSON. */
const inJson = (...columns: readonly string[]) => sql`
  select one #>> '{}' as text from (values ${sql.join(columns.map((name) => sql`(${sql.ref(`x.${name}`)})`))}) v (value)
  cross join lateral jsonb_path_query(v.value, 'strict $.** ? (@.type() == "string")') one`;
const inText = (...columns: readonly string[]) => sql`
  select text from (values ${sql.join(columns.map((name) => sql`(${sql.ref(`x.${name}`)})`))}) v (text)`;

/** Where a name may stand that nobody marked as one. Rows that were written by reference name nobody. */
const PLACES: readonly [ErasureLeft["place"], RawBuilder<unknown>, RawBuilder<boolean>?][] = [
  [
    "audit_log",
    sql`${inText("object_id", "reason")} union all ${inJson("before", "after")}`,
    sql`not x.by_key`,
  ],
  ["approval", sql`${inText("reason", "note")} union all ${inJson("input", "plan")}`],
  ["stop_switch", inText("reason")],
  ["sheet_sign_off", inText("note")],
  ["payout", inText("note"), sql`x.note is not null`],
  ["exclusion", inText("reason", "lift_reason")],
  ["extra_time_taken_back", inText("reason")],
  ["reconciliation_break", inText("reason"), sql`x.reason is not null`],
];

/**
 * How many rows may still name the player: a word or number of their texts reads as a name does. They stay as they are,
 * since it may be something else. Takes time in proportion to these tables.
 */
export async function countLeft(tx: Tx, { written }: Names): Promise<ErasureLeft[]> {
  const sought = written.map((name) => ({ name, pattern: patternOf(name) }));
  const left: ErasureLeft[] = [];
  for (const [place, texts, isMeant = sql`true`] of PLACES) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(place)} x where ${isMeant} and exists (
        select from (${texts}) t cross join json_to_recordset(${JSON.stringify(sought)}::json) s (name text, pattern text)
        where strpos(lower(t.text), lower(s.name)) > 0 and lower(t.text) ~ lower(s.pattern))`.execute(
      tx,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) {
      left.push({ place, rows: count });
    }
  }
  return left;
}
