/** Where the names of a player stand, and how they leave (behaviour §3). Rooms of later rows add themselves here. */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Tx } from "#platform/connection";
import { notifyExportsGone } from "#platform/listen";
import { commitment, roundSalt } from "./seal-chain.ts";
import { lockChain } from "./seal-sql.ts";

/** Waits for the sealer, and for draws and feeding that hold the player: the next ones see what comes. */
export async function lockErasable(tx: Tx, player_key: number): Promise<void> {
  await lockChain(tx);
  await tx
    .selectFrom("player")
    .select("player_key")
    .where("player_key", "=", player_key)
    .forNoKeyUpdate()
    .execute();
}

/** Keeps what the player's records are sealed under, round by round, and deletes the salt that leads to it. */
export async function cutCommitments(
  tx: Tx,
  { player_key, player_id }: { readonly player_key: number; readonly player_id: string },
): Promise<void> {
  const kept = await tx
    .deleteFrom("player_salt")
    .where("player_key", "=", player_key)
    .returning("salt")
    .executeTakeFirst();
  // Records that are not sealed yet will be, under this one, which nobody can undo either.
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

/** The player's payouts; records find them, which have an index by player. */
const own = (player_key: number) => sql`
  select p.log_id, p.trans_sn, p.state, p.next_at from draw_record r join payout p on p.log_id = r.id
  where r.player_key = ${player_key}::bigint`;

/** Payouts that are neither made nor given up, and those of them that an exclusion holds. */
export async function selectOwedPayouts(tx: Tx, player_key: number) {
  const { rows } = await sql<{ owed: number; held: number }>`
    select count(*) as owed,
      count(*) filter (where p.state = 'queued' and p.next_at > statement_timestamp()) as held
    from (${own(player_key)}) p
    where p.state not in ('paid', 'delivered', 'closed')`.execute(tx);
  return rows[0] ?? { owed: 0, held: 0 };
}

/** Deletes exports, and what wallet and platform said of this player alone; a request that is repeated is refused from now on. */
export async function deletePersonalTexts(tx: Tx, player_key: number): Promise<void> {
  await sql`
    update payout_attempt a set request = null, answer = null
    from (${own(player_key)}) p where a.log_id = p.log_id`.execute(tx);
  await sql`
    update draw_request q set body_hash = '\\x' from (${own(player_key)}) p
    where q.log_id = p.log_id`.execute(tx);
  // They may name the player; every process deletes their files (records/export-files.ts).
  await tx.deleteFrom("job").where("kind", "=", "export").execute();
  await notifyExportsGone(tx);
}

/** Deletes views that filter by a name of the player, as addresses write it, or are called so. */
export async function deleteViewsNaming(tx: Tx, names: readonly string[]): Promise<void> {
  const inAddress = names.map((name) => new URLSearchParams({ name }).toString().slice(5));
  await sql`
    delete from saved_view where exists (
      select from unnest(${[...names, ...inAddress]}::text[]) n (name)
      where strpos(lower(search || view_name), lower(n.name)) > 0)`.execute(tx);
}

interface Naming {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isJson?: true;
  /** Which rows; without it, all. */
  readonly rows?: (player_key: number) => RawBuilder<boolean>;
}

const IS_OWN = (player_key: number) => sql<boolean>`x.player_key = ${player_key}::bigint`;

const IS_PAYOUT = (player_key: number) =>
  sql<boolean>`x.log_id in (select log_id from (${own(player_key)}) p)`;

/** Rounds, pools and operators name no player; what was written of them stays as it was. */
const CONCERNS_PLAYERS = () =>
  sql<boolean>`x.object_type not in ('activity', 'pool', 'prize', 'tag', 'message_code', 'api_key', 'operator')`;

/** Where a name may stand. Whoever adds a column in which a player can be named adds it here; the test scans all. */
const NAMINGS: readonly Naming[] = [
  { table: "audit_log", columns: ["object_id", "reason"], rows: CONCERNS_PLAYERS },
  { table: "audit_log", columns: ["before", "after"], isJson: true, rows: CONCERNS_PLAYERS },
  { table: "approval", columns: ["reason", "note"] },
  { table: "approval", columns: ["input", "plan"], isJson: true },
  { table: "deposit", columns: ["reversal_reason"], rows: IS_OWN },
  { table: "bet", columns: ["void_reason"], rows: IS_OWN },
  { table: "payout", columns: ["fail_reason", "note", "wallet_ref"], rows: IS_PAYOUT },
  { table: "job_row", columns: ["reason"], rows: IS_PAYOUT },
  { table: "reconciliation_break", columns: ["our_player_id", "their_player_id", "reason"] },
  { table: "wallet_entry", columns: ["player_id", "wallet_ref"] },
  { table: "exclusion", columns: ["reason", "lift_reason"], rows: IS_OWN },
  { table: "extra_time_taken_back", columns: ["reason"], rows: IS_OWN },
  { table: "stop_switch", columns: ["reason"] },
  { table: "sheet_sign_off", columns: ["note"] },
];

/** Inside longer words a name is another's: "p1" is no part of "p12". */
const IN_WORD = String.raw`[\p{L}\p{N}_-]`;

/** Replaces each of `names`, whatever its capitals, where it stands as a word of its own. */
export function cutNames(text: string, names: readonly string[], instead: string): string {
  const words = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const pattern = new RegExp(`(?<!${IN_WORD})(?:${words.join("|")})(?!${IN_WORD})`, "giu");
  return text.replace(pattern, () => instead);
}

/** The same for every text in a value of JSON, keys left out. */
export function cutNamesInJson(json: string, names: readonly string[], instead: string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === "string" ? cutNames(value, names, instead) : value,
  );
}

interface Found {
  readonly place: string;
  readonly part: string;
  readonly text: string;
}

/** Puts `instead` for the player's names wherever they may stand. Takes time in proportion to these tables. */
export async function replaceNames(
  tx: Tx,
  player: { readonly player_key: number; readonly names: readonly string[] },
  instead: string,
): Promise<void> {
  const { player_key, names } = player;
  // As JSON writes them, without its quotation marks: else a name with one would not be found.
  const sought = names.flatMap((name) => [name, JSON.stringify(name).slice(1, -1)]);
  for (const { table, columns, isJson = false, rows: isMeant } of NAMINGS) {
    for (const name of columns) {
      const column = sql.ref(`x.${name}`);
      const { rows } = await sql<Found>`
        select x.ctid::text as place, x.tableoid::text as part, ${column}::text as text
        from ${sql.table(table)} x
        where ${isMeant === undefined ? sql`true` : isMeant(player_key)} and exists (
          select from unnest(${sought}::text[]) s (name)
          where strpos(lower(${column}::text), lower(s.name)) > 0)
        for update`.execute(tx);
      for (const { place, part, text } of rows) {
        const cut = (isJson ? cutNamesInJson : cutNames)(text, names, instead);
        await sql`
          update ${sql.table(table)} x set ${sql.ref(name)} = ${cut}${isJson ? sql`::jsonb` : sql``}
          where ${isMeant === IS_OWN ? IS_OWN(player_key) : sql`true`}
            and ctid = ${place}::tid and tableoid = ${part}::oid`.execute(tx);
      }
    }
  }
}

/**
 * What the erasing made of rows of the audit log: hashes of their texts by id. Their seals hold on, and these hashes are
 * sealed with the row of the erasing.
 */
export async function selectRewritten(tx: Tx, instead: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: number; hash: string }>`
    select id, encode(sha256(convert_to(audit_texts(l), 'UTF8')), 'hex') as hash
    from audit_log l where strpos(audit_texts(l), ${instead}) > 0 order by id`.execute(tx);
  return Object.fromEntries(rows.map(({ id, hash }) => [id, hash]));
}

/** The name without meaning; no draw or feed finds the player by the former one, and no reader a still earlier one. */
export async function renamePlayer(tx: Tx, player_key: number, name: string): Promise<void> {
  await sql`
    update player set player_id = ${name}, user_name = ${name}, blocked = true,
      blocked_at = coalesce(blocked_at, clock_timestamp()), erased_at = clock_timestamp(),
      version = version + 1, draw_version = draw_version + 1
    where player_key = ${player_key}::bigint`.execute(tx);
  await tx.deleteFrom("former_name").where("player_key", "=", player_key).execute();
}
