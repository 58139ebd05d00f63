/**
 * Rows of earlier releases contain players' names. Erasing removes the names from some of these rows and only
 * counts the remaining rows (behaviour §3).
 */
import { isDeepStrictEqual } from "node:util";
import type { ErasureLeft } from "@red/contract/evidence/erasure";
import { sql } from "kysely";
import type { Tx } from "#platform/db/connection";
import { cutTexts, holdsName, mayName } from "#platform/player-names";
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
  /** Names of the erased player that another player of the same row has or had. */
  readonly shared: readonly string[];
}

/** Returns audit rows that are about the player, either by reference or as their object. */
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

/** Returns a function that tells whether a name in a name field of this row is the erased player's name. */
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
 * Replaces the player's names by `instead` in older rows about the player: in name fields, reasons and notes.
 * Returns hashes of the new texts by id. The rows' seals stay valid, and these hashes are sealed with the audit
 * row of the erasing.
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

/** SQL: the texts of a row, and the texts in its JSON columns. */
const textsOf = (columns: readonly string[], json: readonly string[]) => sql`
  select text from (values ${sql.join(columns.map((name) => sql`(${sql.ref(`x.${name}`)})`))}) v (text)
  ${sql.join(
    json.map(
      (name) => sql`
        union all
        select one #>> '{}' from jsonb_path_query(${sql.ref(`x.${name}`)}, 'strict $.** ? (@.type() == "string")') one`,
    ),
    sql` `,
  )}`;

/** Tables, text columns and JSON columns that may contain a name without a reference. */
const PLACES: readonly (readonly [ErasureLeft["place"], string[], string[]?])[] = [
  ["audit_log", ["object_id", "reason"], ["before", "after"]],
  ["approval", ["reason", "note"], ["input", "plan"]],
  ["stop_switch", ["reason"]],
  ["sheet_sign_off", ["note"]],
  ["payout", ["note", "fail_reason", "wallet_ref"]],
  ["job_row", ["reason"]],
  ["exclusion", ["reason", "lift_reason"]],
  ["extra_time_taken_back", ["reason"]],
  ["reconciliation", ["file_name"]],
  ["reconciliation_break", ["reason", "our_player_id", "their_player_id"]],
  ["wallet_entry", ["wallet_ref", "player_id"]],
];

interface Texts {
  readonly texts: readonly string[];
  readonly is_kept: boolean;
  readonly rows: number;
}

/**
 * Counts the rows that may still name the player (`mayName`). These rows stay unchanged, because the word may
 * mean something else. The time grows with the size of these tables.
 */
export async function countLeft(tx: Tx, { written }: Names): Promise<ErasureLeft[]> {
  const left: ErasureLeft[] = [];
  for (const [place, columns, json = []] of PLACES) {
    const all = sql.join([...columns, ...json].map((name) => sql.ref(`x.${name}`)));
    const isKept = place === "audit_log" ? sql<boolean>`x.by_key` : sql<boolean>`false`;
    const { rows } = await sql<Texts>`
      select array(select text from (${textsOf(columns, json)}) t where text is not null) as texts,
        ${isKept} as is_kept, count(*) as rows
      from ${sql.table(place)} x cross join lateral (select concat_ws(' ', ${all}) as held offset 0) h
      where ${holdsName(sql`h.held`, written, isKept)} group by 1, 2`.execute(tx);
    const count = rows
      .filter(({ texts, is_kept }) => texts.some((text) => mayName(text, written, is_kept)))
      .reduce((sum, row) => sum + row.rows, 0);
    if (count > 0) {
      left.push({ place, rows: count });
    }
  }
  return left;
}
