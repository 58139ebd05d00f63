/**
 * Checks the rows that were rewritten when players were erased (behaviour §3), so that nobody can hide another
 * change as an erasing.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { AUDIT_DAYS_MIN } from "#platform/config";
import type { Db } from "#platform/db/connection";
import { sqlRef } from "#platform/player-names";
import { streamRows } from "#platform/db/snapshot";
import type { Offence } from "#platform/db/snapshot";
import { changeFields } from "./name-fields.ts";
import { TRIM_ACTION } from "./seal-sql.ts";

/** SQL: all erasings. `is_strict`: written by a release that refers to players by key, so every check applies. */
const ERASINGS = sql`
  with erasing as materialized (
    select e.id, e.object_id, e.by_key, e.after -> 'rewritten' as rewritten, e.after ? 'left' as is_strict,
      y.player_key, y.user_name as name, row_number() over (partition by y.player_key order by e.id) as no
    from audit_log e left join player y on y.erased_at is not null
      and e.object_id = case when e.after ? 'left' then ${sqlRef(sql`y.player_key`)} else y.user_name end
    where e.action = 'erase_player' and e.outcome = 'done'
  ), listed as (
    select e.id as erase_id, e.player_key, e.name, w.key::bigint as id, w.value as hash
    from erasing e cross join jsonb_each_text(case when e.is_strict then e.rewritten else '{}' end) w
    where e.player_key is not null
  )`;

const IS_ABOUT = (id: RawBuilder<unknown>, player_key: RawBuilder<unknown>) => sql`exists (
  select from audit_about b
  where b.audit_id = ${id} and b.object_type = 'player' and b.object_id = ${player_key}::text)`;

/** Each query selects ids of rows that no erasing explains. */
const SEARCHES: readonly [
  table: string,
  key: string,
  query: RawBuilder<{ id: number | string }>,
][] = [
  // An erasing without a player, a second erasing of the same player, or an erasing that is about another player.
  [
    "audit_log",
    "id",
    sql`${ERASINGS} select id from erasing e where player_key is null or no > 1
      or is_strict and not (by_key and ${IS_ABOUT(sql`e.id`, sql`e.player_key`)})`,
  ],
  [
    "player",
    "player_key",
    sql`${ERASINGS} select player_key as id from player y where erased_at > coalesce((
        select max(at) - make_interval(days => ${AUDIT_DAYS_MIN}::int) from audit_log where action = ${TRIM_ACTION}
      ), '-infinity') and not exists (select from erasing e where e.player_key = y.player_key)`,
  ],
  // A row that is listed as rewritten, but names players by reference, still has its salt, lacks the random name,
  // or is not about the player.
  [
    "audit_log",
    "id",
    sql`${ERASINGS} select l.id from listed w join audit_log l using (id)
      where l.by_key or l.salt is not null or strpos(audit_texts(l), w.name) = 0
        or not (${IS_ABOUT(sql`l.id`, sql`w.player_key`)} or l.object_type = 'player' and l.object_id = w.name
          and not exists (select from audit_about where audit_id = l.id and object_type = 'player'))`,
  ],
  // A cut row whose texts differ from the listed hash.
  [
    "audit_log",
    "id",
    sql`select l.id from audit_log l where l.salt is null
      and encode(sha256(convert_to(audit_texts(l), 'UTF8')), 'hex') is distinct from (
        select e.after -> 'rewritten' ->> l.id::text from audit_log e
        where e.action = 'erase_player' and e.after -> 'rewritten' ? l.id::text order by e.id desc limit 1)`,
  ],
  [
    "player_salt",
    "player_key",
    sql`${ERASINGS} select player_key as id from erasing join player_salt using (player_key)`,
  ],
  [
    "former_name",
    "player_key",
    sql`${ERASINGS} select player_key as id from erasing join former_name using (player_key) where is_strict`,
  ],
  // Former names must be numbered without a gap, and each time range must start where the previous range ends.
  [
    "former_name",
    "player_key",
    sql`select y.player_key as id from player y left join (
        select player_key, count(*) as names, min(no) as first, max(no) as last, bool_and(meets) as meet from (
          select *, from_at = coalesce(lag(to_at) over (partition by player_key order by no), from_at) as meets
          from former_name) f
        group by player_key) f using (player_key)
      where y.erased_at is null and (coalesce(f.names, 0), coalesce(f.first, 1), coalesce(f.last, 0), coalesce(f.meet, true))
        <> (y.name_no - 1, 1, y.name_no - 1, true)`,
  ],
  // An erased name on a payment to another player, without a break that reports it.
  [
    "wallet_entry",
    "trans_sn",
    sql`${ERASINGS} select w.trans_sn as id from erasing e
      join wallet_entry w on w.player_id in (e.name, ${sqlRef(sql`e.player_key`, "i")})
      join payout p using (trans_sn)
      where e.is_strict and p.player_key <> e.player_key and not exists (
        select from reconciliation_break b where b.trans_sn = w.trans_sn and b.occurrence = w.occurrence
          and b.their_player_id = w.player_id)`,
  ],
];

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the id of a rewritten row that contains the random name outside the fields for player names. */
async function findMisplacedName(snapshot: Db): Promise<number | null> {
  const rows = sql<Listed>`${ERASINGS} select l.id, w.name, l.before, l.after from listed w join audit_log l using (id)
    order by l.id`;
  for await (const page of streamRows(snapshot, rows, 100)) {
    for (const { id, name, before, after } of page) {
      const inName = (text: string) => (text === name ? "" : text);
      const rest = changeFields({ before, after }, { name: inName, text: () => "" });
      if (JSON.stringify(rest).includes(name)) {
        return id;
      }
    }
  }
  return null;
}

/**
 * Reports the first offence against these rules. Each erased player has one audit row of the erasing; the rows
 * listed there were cut, are about the player, and contain the random name only in name fields and reasons. Salt
 * and former names of the player are deleted, and numbers and time ranges of all former names are complete. No
 * payment to another player contains the random name, unless a break reports it. Not covered: a change to an
 * older row made before its player was erased looks like a cut.
 */
export async function findFalseErasure(snapshot: Db): Promise<Offence | null> {
  for (const [table, key, query] of SEARCHES) {
    const { rows } = await sql<{ id: number | string }>`
      select id from (${query}) x order by id limit 1`.execute(snapshot);
    if (rows[0] !== undefined) {
      return { table, ids: { [key]: rows[0].id }, expected: null, found: {} };
    }
  }
  const id = await findMisplacedName(snapshot);
  return id === null ? null : { table: "audit_log", ids: { id }, expected: null, found: {} };
}
