/** Grants extra times to players that are known (spec §5; behaviour §3). */
import { parseDateTime } from "@red/contract/datetime";
import { AppError, badInput } from "@red/contract/errors";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { selectHasTag } from "#db/activity-tag";
import { insertAudit, insertRefusal } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { insertExtraTimes, selectIsAhead } from "#db/extra-time";
import { raisePlayerVersions, selectPlayerKeys } from "#db/player";

/** What every extra time of one call has in common. */
export interface ExtraTimeTerms {
  readonly tag: string;
  /** On the clocks of the business time zone. */
  readonly expire_time: string;
}

/** What the caller's words are read and answered with. */
export interface Reading {
  readonly timeZone: string;
  readonly language: Language;
}

export interface Grant {
  /** How many players got one. */
  readonly granted: number;
  /** Accounts that nobody has, as they were written, each once. */
  readonly unknown: readonly string[];
  /** Accounts that were named again, as they were written the second time, each once. */
  readonly doubled: readonly string[];
}

const ACTION = { action: "grant_extra_times", object_type: "extra_time" };

/** The instant of the expiry. Throws tag_unknown, and bad_input when it is not in the future. */
async function checkTerms(tx: Tx, terms: ExtraTimeTerms, reading: Reading): Promise<Date> {
  if (!(await selectHasTag(tx, terms.tag))) {
    throw new AppError("tag_unknown");
  }
  const expire_time = parseDateTime(terms.expire_time, reading.timeZone);
  if (expire_time === null || !(await selectIsAhead(tx, expire_time))) {
    throw badInput([{ field: "expire_time", msg: text("expiry_in_past", reading.language) }]);
  }
  return expire_time;
}

async function grant(
  tx: Tx,
  actor: Actor,
  player_keys: readonly number[],
  { tag }: ExtraTimeTerms,
  expire_time: Date,
): Promise<void> {
  // Draws that were decided on fewer chances are decided anew.
  await raisePlayerVersions(tx, player_keys);
  await insertExtraTimes(tx, { player_keys, tag, expire_time, granted_by: actor.name });
}

/**
 * Grants one extra time to one player, named without regard to case. Throws player_unknown,
 * tag_unknown, and bad_input when the expiry is not in the future.
 */
export async function grantExtraTime(
  tx: Tx,
  actor: Actor,
  user_name: string,
  terms: ExtraTimeTerms,
  reading: Reading,
): Promise<void> {
  const [named] = await selectPlayerKeys(tx, [user_name]);
  if (named === undefined || named.player_key === null) {
    throw new AppError("player_unknown");
  }
  const expire_time = await checkTerms(tx, terms, reading);
  await grant(tx, actor, [named.player_key], terms, expire_time);
  await insertAudit(tx, actor, { ...ACTION, object_id: user_name, after: { user_name, ...terms } });
}

/**
 * Grants one extra time to each of many players. An account that is named twice, in whatever case, gets
 * one; unknown ones get none; the answer names both. Throws tag_unknown, and bad_input as above.
 */
export async function grantExtraTimes(
  tx: Tx,
  actor: Actor,
  user_names: readonly string[],
  terms: ExtraTimeTerms,
  reading: Reading,
): Promise<Grant> {
  const expire_time = await checkTerms(tx, terms, reading);
  const known = new Map<number, string>();
  const seen = new Set<string>();
  const unknown: string[] = [];
  const doubled = new Map<string, string>();
  for (const { user_name, name_key, player_key } of await selectPlayerKeys(tx, user_names)) {
    if (seen.has(name_key)) {
      doubled.set(name_key, doubled.get(name_key) ?? user_name);
    } else if (player_key === null) {
      unknown.push(user_name);
    } else {
      known.set(player_key, user_name);
    }
    seen.add(name_key);
  }
  const skipped = { unknown, doubled: [...doubled.values()] };
  if (known.size === 0) {
    await insertRefusal(tx, actor, { ...ACTION, after: { ...terms, ...skipped } });
    return { granted: 0, ...skipped };
  }
  await grant(tx, actor, [...known.keys()], terms, expire_time);
  await insertAudit(tx, actor, {
    ...ACTION,
    after: { ...terms, user_names: [...known.values()], ...skipped },
  });
  return { granted: known.size, ...skipped };
}
