/** Ends waiting changes that name an erased player (behaviour §3, §16). */
import { erasureRoutes } from "@red/contract/evidence/erasure";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { sql } from "kysely";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { cutTexts, refersTo } from "#platform/player-names";
import { lower } from "./erase-player-sql.ts";
import type { Names } from "./erase-player-sql.ts";
import { changeFields } from "./name-fields.ts";

const ERASE = `${erasureRoutes.erase.method} ${erasureRoutes.erase.path}`;

interface Waiting {
  readonly id: number;
  readonly call: string;
  readonly reason: string;
  readonly input: unknown;
  readonly plan: unknown;
  readonly is_about: boolean;
}

/** Returns all waiting changes. `is_about` tells whether the change refers to the player. */
async function selectWaiting(tx: Tx, player_key: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select id, call, reason, input, plan, ${refersTo(sql`a.reason || a.input::text || a.plan::text`, player_key)}
      or a.id::text in (
        select l.object_id from audit_about b join audit_log l on l.id = b.audit_id
        where b.object_type = 'player' and b.object_id = ${String(player_key)}
          and l.action = 'ask_approval' and l.object_type = 'approval') as is_about
    from approval a where state = 'waiting' order by id for update`.execute(tx);
  return rows;
}

/**
 * Ends waiting changes that name the player, adds a note for their makers, and deletes their input. If the
 * erasing itself was an approved change (`isApproved`), that change stays without the name. Returns the ids of
 * the ended changes.
 */
export async function dropWaiting(
  tx: Tx,
  actor: Actor,
  { player_key, names }: Names,
  { instead, language, isApproved }: { instead: string; language: Language; isApproved: boolean },
): Promise<number[]> {
  const dropped: number[] = [];
  for (const { id, call, reason, input, plan, is_about } of await selectWaiting(tx, player_key)) {
    let isNamed = is_about;
    const name = (one: string) => {
      const isOwn = names.has(lower(one));
      isNamed ||= isOwn;
      return isOwn ? instead : one;
    };
    const kept = changeFields(input, { name, text: (same) => same });
    changeFields(plan, { name, text: (same) => same });
    const [cut = reason] = await cutTexts(tx, [reason], player_key, instead);
    if (isNamed && call === ERASE && isApproved) {
      const values = { reason: cut, input: JSON.stringify(kept) };
      await tx.updateTable("approval").set(values).where("id", "=", id).execute();
    } else if (isNamed || cut !== reason) {
      dropped.push(id);
      await sql`
        update approval set state = 'refused', decided_at = clock_timestamp(), decided_by = ${actor.name},
          decider_id = (select o.id from operator o where ${actor.kind} = 'operator' and o.name = ${actor.name}),
          note = ${text("approval_player_erased", language)}, reason = ${cut}, input = '{}', file = null, plan = '[]'
        where id = ${id}`.execute(tx);
    }
  }
  return dropped;
}
