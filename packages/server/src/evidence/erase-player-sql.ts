/**
 * Knows where a player's names are stored, and removes them (behaviour §3). A new table with names must be added here.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { partOf } from "@red/contract/platform/marks";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import type { Tx } from "#platform/db/connection";
import {
  accountRef,
  cutTexts,
  lockExports,
  playersIn,
  referAccounts,
  referTexts,
  refersTo,
  sqlRef,
} from "#platform/player-names";
import { notifyExportsGone } from "#platform/db/listen";
import { commitment, roundSalt } from "./seal-chain.ts";
import { lockChain } from "./seal-sql.ts";

/** A name and the time during which the player had it. */
interface Span {
  readonly name: string;
  readonly from_at: Date;
  /** Null means that the player still has the name. */
  readonly to_at: Date | null;
}

export interface Names {
  readonly player_key: number;
  readonly player_id: string;
  /** The id and all accounts, exactly as written. */
  readonly written: readonly string[];
  /** `written` in lower case by `lower`, which may differ from PostgreSQL's lower(). */
  readonly names: ReadonlySet<string>;
  /** Accounts in lower case by `lower`. */
  readonly accounts: readonly Span[];
}

export const lower = (name: string): string => name.toLowerCase();

export async function selectNames(
  tx: Tx,
  { player_key, player_id }: Pick<Names, "player_key" | "player_id">,
): Promise<Names> {
  const { rows } = await sql<Span>`
    select user_name as name, from_at, to_at from former_name where player_key = ${player_key}
    union all
    select user_name, coalesce(
      (select max(to_at) from former_name f where f.player_key = y.player_key), '-infinity'), null
    from player y where player_key = ${player_key}`.execute(tx);
  const written = [player_id, ...rows.map(({ name }) => name)];
  const accounts = rows.map((span) => ({ ...span, name: lower(span.name) }));
  return { player_key, player_id, written, names: new Set(written.map(lower)), accounts };
}

/**
 * Waits for the sealer, new exports, draws and feeds that have locked the player. Later transactions see the
 * erased player.
 */
export async function lockErasable(tx: Tx, player_key: number): Promise<void> {
  await lockChain(tx);
  await lockExports(tx, "erasing");
  await tx
    .selectFrom("player")
    .select("player_key")
    .where("player_key", "=", player_key)
    .forNoKeyUpdate()
    .execute();
}

/**
 * Stores the player's commitment for each round, and deletes the salt. The player's records are sealed under
 * these commitments.
 */
export async function cutCommitments(
  tx: Tx,
  { player_key, player_id }: Pick<Names, "player_key" | "player_id">,
): Promise<void> {
  const kept = await tx
    .deleteFrom("player_salt")
    .where("player_key", "=", player_key)
    .returning("salt")
    .executeTakeFirst();
  // Unsealed records are sealed later under this commitment. A new random salt is not stored anywhere.
  const salt = kept?.salt ?? randomBytes(32);
  const { rows } = await sql<{ rounds_id: number }>`
    select distinct rounds_id from draw_record where player_key = ${player_key}::bigint`.execute(
    tx,
  );
  for (const { rounds_id } of rows) {
    const sealed = commitment(roundSalt(salt, rounds_id), player_id);
    await tx
      .insertInto("erased_commitment")
      .values({ player_key, rounds_id, commitment: sealed })
      .execute();
  }
}

/** SQL: the player's payouts. They are found through the records, which have an index by player. */
const own = (player_key: number) => sql`
  select p.log_id, p.trans_sn, p.state, p.next_at from draw_record r join payout p on p.log_id = r.id
  where r.player_key = ${player_key}::bigint`;

/** Counts the open payouts (neither paid, delivered nor closed), and how many of them an exclusion holds. */
export async function selectOwedPayouts(tx: Tx, player_key: number) {
  const { rows } = await sql<{ owed: number; held: number }>`
    select count(*) as owed,
      count(*) filter (where p.state = 'queued' and p.next_at > statement_timestamp()) as held
    from (${own(player_key)}) p
    where p.state not in ('paid', 'delivered', 'closed')`.execute(tx);
  return rows[0] ?? { owed: 0, held: 0 };
}

/**
 * Deletes all exports, and the texts of wallet and platform about this player. From now on a repeated draw
 * request is rejected.
 */
export async function deletePersonalTexts(tx: Tx, player_key: number): Promise<void> {
  await sql`
    update payout_attempt a set request = null, answer = null
    from (${own(player_key)}) p where a.log_id = p.log_id`.execute(tx);
  await sql`
    update draw_request q set body_hash = '\\x' from (${own(player_key)}) p
    where q.log_id = p.log_id`.execute(tx);
  // Exports may name the player. Every process deletes its export files (records/export-files.ts).
  await tx.deleteFrom("job").where("kind", "=", "export").execute();
  await notifyExportsGone(tx);
}

/** Free-text filters that never contain a player's name. */
const NEVER_NAMING =
  /^(action|actor|award_name|object_type|pool_name|request_id|rounds_name|tag|trans_sn)$/;

const FILTERS = Object.values(ROUTES)
  .flatMap((room): Route[] => Object.values(room))
  .flatMap(({ query }) => (query === undefined ? [] : [partOf(query)]))
  .flatMap((query) => (query.kind === "object" ? Object.entries(query.fields) : []))
  .map(([name, schema]) => ({ name, part: partOf(schema) }));

const NAMING = new Set(
  FILTERS.filter(({ part }) => part.kind === "leaf" && part.mark === "filter")
    .map(({ name }) => name)
    .filter((name) => !NEVER_NAMING.test(name)),
);

/** All filters that cannot name a player, for example choices, numbers and times. */
const OTHERS = new Set(FILTERS.map(({ name }) => name).filter((name) => !NAMING.has(name)));

/**
 * Deletes saved views that filter by a name of the player, or whose own title contains such a name. A name that
 * is now another player's account does not count.
 */
export async function deleteViewsNaming(tx: Tx, { player_key, names }: Names): Promise<void> {
  const views = await tx.selectFrom("saved_view").select(["id", "search", "view_name"]).execute();
  const called = await referTexts(
    tx,
    views.map(({ view_name }) => view_name),
  );
  const valuesOf = ({ search }: { readonly search: string }) => {
    const filters = new URLSearchParams(search);
    const isOther = (name: string) =>
      OTHERS.has(name) || (name === "object_id" && filters.get("object_type") !== "player");
    return [...filters].flatMap(([name, value]) => (isOther(name) ? [] : [value.trim()]));
  };
  const values = views.flatMap(valuesOf);
  const refs = await referAccounts(tx, values);
  const refOf = new Map(values.map((value, at) => [value, refs[at]]));
  const isNamed = (value: string) =>
    refOf.get(value) === accountRef(player_key) ||
    (refOf.get(value) === value && names.has(lower(value)));
  const ids = views
    .filter(
      (view, at) =>
        playersIn(called[at] ?? "").includes(player_key) || valuesOf(view).some(isNamed),
    )
    .map(({ id }) => id);
  await sql`delete from saved_view where id = any(${ids}::bigint[])`.execute(tx);
}

const IS_OWN = (player_key: number) => sql<boolean>`x.player_key = ${player_key}::bigint`;

const IS_PAYOUT = (player_key: number) =>
  sql<boolean>`x.log_id in (select log_id from (${own(player_key)}) p)`;

/** SQL: whether row `x` of a statement is about a payout of the player, or refers to the player. */
const IS_STATED = (player_key: number) =>
  sql<boolean>`(x.trans_sn in (select trans_sn from (${own(player_key)}) p)
    or ${refersTo(sql`x.player_id`, player_key)})`;

/** Columns of the player's own rows with free text from the wallet, the platform or operators. */
const OWN_TEXTS = [
  ["deposit", IS_OWN, "reversal_reason"],
  ["bet", IS_OWN, "void_reason"],
  ["payout", IS_PAYOUT, "fail_reason", "note", "wallet_ref"],
  ["job_row", IS_PAYOUT, "reason"],
  ["exclusion", IS_OWN, "reason", "lift_reason"],
  ["extra_time_taken_back", IS_OWN, "reason"],
  ["reconciliation_break", IS_PAYOUT, "reason", "our_player_id", "their_player_id"],
  ["wallet_entry", IS_STATED, "wallet_ref", "player_id"],
] as const;

interface Found {
  readonly place: string;
  readonly part: string;
  readonly text: string;
}

export async function cutOwnTexts(tx: Tx, player_key: number, instead: string): Promise<void> {
  for (const [table, isMeant, ...columns] of OWN_TEXTS) {
    for (const name of columns) {
      const column = sql.ref(`x.${name}`);
      const { rows } = await sql<Found>`
        select x.ctid::text as place, x.tableoid::text as part, ${column} as text
        from ${sql.table(table)} x where ${column} is not null and ${isMeant(player_key)} for update`.execute(
        tx,
      );
      const cut = await cutTexts(
        tx,
        rows.map(({ text }) => text),
        player_key,
        instead,
      );
      for (const [at, { place, part, text }] of rows.entries()) {
        if (cut[at] !== text) {
          // A table that is distributed over machines needs the player's key to find the row.
          await sql`
            update ${sql.table(table)} x set ${sql.ref(name)} = ${cut[at]}
            where ${isMeant === IS_OWN ? IS_OWN(player_key) : sql`true`}
              and ctid = ${place}::tid and tableoid = ${part}::oid`.execute(tx);
        }
      }
    }
  }
}

/**
 * Replaces the player's name by a reference in older statement rows. A name that is now another player's id or
 * account stays.
 */
export async function referStated(
  tx: Tx,
  { player_key, player_id, written }: Names,
): Promise<void> {
  const places = [
    ["wallet_entry", "player_id"],
    ["reconciliation_break", "our_player_id"],
    ["reconciliation_break", "their_player_id"],
  ] as const;
  for (const [table, column] of places) {
    const stated = sql.ref(`x.${column}`);
    await sql`
      update ${sql.table(table)} x set ${sql.ref(column)} = ${sqlRef(sql`${player_key}::bigint`, "i")}
      where ${stated} = ${player_id} or lower(${stated}) = any (array(select lower(one) from unnest(${written}::text[]) one))
        and not exists (select from player o where o.player_key <> ${player_key}
          and (o.player_id = ${stated} or o.user_name_key = lower(${stated})))`.execute(tx);
  }
}

/**
 * Gives the player the random name and deletes former names. From now on draws and feeds do not find the player
 * by the old name.
 */
export async function renamePlayer(tx: Tx, player_key: number, name: string): Promise<void> {
  await sql`
    update player set player_id = ${name}, user_name = ${name}, blocked = true,
      blocked_at = coalesce(blocked_at, clock_timestamp()), erased_at = clock_timestamp(),
      version = version + 1, draw_version = draw_version + 1
    where player_key = ${player_key}::bigint`.execute(tx);
  await tx.deleteFrom("former_name").where("player_key", "=", player_key).execute();
}
