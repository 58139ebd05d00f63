/** Grants extra times to known players (spec §5; behaviour §3). */
import { createHash } from "node:crypto";
import { parseDateTime } from "@red/contract/platform/datetime";
import { AppError, badInput } from "@red/contract/platform/errors";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import type { extraTimesPreview, extraTimesRoutes } from "@red/contract/players/extra-times";
import type { Answer } from "@red/contract/platform/route";
import { selectHasTag } from "#rounds/lookup-sql";
import { selectGroupPools } from "#pools/standing-sql";
import { insertAudit, insertRefusal } from "#platform/audit";
import { noRisk, riskOfDraws } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { accountRef, keptLists } from "#platform/player-names";
import { insertExtraTimes, nextBatch, selectClock, selectRecentGrants } from "./extra-time-sql.ts";
import { lockNamedDrawers, raisePlayerVersions, selectPlayerKeys } from "./player-sql.ts";
import type * as z from "zod/mini";

interface ExtraTimeTerms {
  readonly tag: string;
  /** Time in the business time zone. */
  readonly expire_time: string;
}

export interface Reading {
  readonly timeZone: string;
  readonly language: Language;
}

type GrantAnswer = Answer<typeof extraTimesRoutes.grant>;
type AccountList = Omit<z.output<typeof extraTimesPreview>, "tag">;

interface Granted {
  readonly player_key: number;
  /** The account as written in the list. */
  readonly user_name: string;
  /** The expiry of this account, or null for the expiry of the terms. */
  readonly expire_time: Date | null;
}

const ACTION = { action: "grant_extra_times", object_type: "extra_time" };

/** Returns the expiry as a time. Throws tag_unknown, or bad_input if the expiry is not in the future. */
async function checkTerms(tx: Tx, terms: ExtraTimeTerms, reading: Reading): Promise<Date> {
  if (!(await selectHasTag(tx, terms.tag))) {
    throw new AppError("tag_unknown");
  }
  const expire_time = parseDateTime(terms.expire_time, reading.timeZone);
  if (expire_time === null || expire_time <= (await selectClock(tx))) {
    throw badInput([{ field: "expire_time", msg: text("expiry_in_past", reading.language) }]);
  }
  return expire_time;
}

/** Returns a hash of the players and their own expiries. */
function planName(known: readonly Granted[]): string {
  const basis = known.map(({ player_key, expire_time }) => [player_key, expire_time?.getTime()]);
  return createHash("sha256").update(JSON.stringify(basis)).digest("base64url");
}

/** Plans a grant to the list. Each account appears once per reason. */
async function planGrant(db: Db, list: AccountList, timeZone: string) {
  const now = await selectClock(db);
  const known = new Map<string, Granted>();
  const names = () => new Map<string, string>();
  const left = {
    unknown: names(),
    doubled: names(),
    expired: names(),
    blocked: names(),
    excluded: names(),
  };
  const leaveOut = (why: keyof typeof left, key: string, user_name: string) =>
    left[why].set(key, left[why].get(key) ?? user_name);
  const named = await selectPlayerKeys(db, list.user_names);
  for (const [at, { user_name, name_key, player_key, barred }] of named.entries()) {
    const own = list.expire_times?.[at] ?? null;
    const expire_time = own === null ? null : parseDateTime(own, timeZone);
    if (own !== null && (expire_time === null || expire_time <= now)) {
      leaveOut("expired", name_key, user_name);
    } else if (known.has(name_key) || left.unknown.has(name_key)) {
      leaveOut("doubled", name_key, user_name);
    } else if (player_key === null || barred !== null) {
      leaveOut(barred ?? "unknown", name_key, user_name);
    } else {
      known.set(name_key, { player_key, user_name, expire_time });
    }
  }
  const granted = [...known.values()];
  return {
    granted: granted.length,
    unknown: [...left.unknown.values()],
    doubled: [...left.doubled.values()],
    expired: [...left.expired.values()],
    blocked: [...left.blocked.values()],
    excluded: [...left.excluded.values()],
    known: granted,
    name: planName(granted),
  };
}

/** Returns the accounts with a recent grant in the group and the newest of these grants, or null if there is none. */
async function grantedBefore(db: Db, known: readonly Granted[], tag: string) {
  const keys = known.map(({ player_key }) => player_key);
  const recent = await selectRecentGrants(db, keys, tag);
  const [newest] = recent;
  if (newest === undefined) {
    return null;
  }
  const had = new Set(recent.map(({ player_key }) => player_key));
  const user_names = known.flatMap((player) =>
    had.has(player.player_key) ? [player.user_name] : [],
  );
  return { user_names, created_at: newest.created_at, granted_by: newest.granted_by };
}

/**
 * Returns the answer that the grant would give, and the hash of the plan. Locks and writes nothing.
 * Recent grants in the group `tag` are reported as a warning; they do not change the plan.
 */
export async function previewGrant(
  db: Db,
  { tag, ...list }: z.output<typeof extraTimesPreview>,
  timeZone: string,
) {
  const { known, name: plan, ...outcome } = await planGrant(db, list, timeZone);
  const granted_before = tag === undefined ? null : await grantedBefore(db, known, tag);
  return { ...outcome, plan, granted_before };
}

async function grant(
  tx: Tx,
  actor: Actor,
  known: readonly Pick<Granted, "player_key" | "expire_time">[],
  { tag }: ExtraTimeTerms,
  expire_time: Date,
  batch_id: number | null,
): Promise<Risk> {
  const keys = known.map(({ player_key }) => player_key);
  // Draws that were decided without these extra times are decided again.
  await raisePlayerVersions(tx, keys);
  const grants = known.map((player) => ({
    ...player,
    expire_time: player.expire_time ?? expire_time,
  }));
  await insertExtraTimes(tx, { grants, tag, granted_by: actor.name, batch_id });
  return riskOfDraws(grants.length, await selectGroupPools(tx, tag));
}

/**
 * Grants one extra time to one player; the case of the account does not matter. Throws player_unknown, player_blocked,
 * player_excluded, tag_unknown, and bad_input if the expiry is not in the future.
 */
export async function grantExtraTime(
  tx: Tx,
  actor: Actor,
  user_name: string,
  terms: ExtraTimeTerms,
  reading: Reading,
): Promise<Costed<null>> {
  await lockNamedDrawers(tx, [user_name]);
  const [named] = await selectPlayerKeys(tx, [user_name]);
  if (named === undefined || named.player_key === null) {
    throw new AppError("player_unknown");
  }
  if (named.barred !== null) {
    throw new AppError(`player_${named.barred}`);
  }
  const expire_time = await checkTerms(tx, terms, reading);
  const { player_key } = named;
  const one = [{ player_key, expire_time: null }];
  const risk = await grant(tx, actor, one, terms, expire_time, null);
  await insertAudit(tx, actor, {
    ...ACTION,
    object_id: accountRef(player_key),
    after: { user_name: accountRef(player_key), ...terms },
    about: { player: [player_key] },
  });
  return { data: null, risk };
}

/**
 * Grants one extra time to each of many players; a repeated account (in any case) counts once. Skips accounts that are
 * unknown, blocked or excluded, or whose own expiry is not in the future, and lists them in the answer. Throws
 * tag_unknown, bad_input as above, and stale_list if the result would differ from the preview with the hash `plan`.
 */
export async function grantExtraTimes(
  tx: Tx,
  actor: Actor,
  list: AccountList & { readonly plan?: string | undefined },
  terms: ExtraTimeTerms,
  reading: Reading,
): Promise<Costed<GrantAnswer>> {
  await lockNamedDrawers(tx, list.user_names);
  const expire_time = await checkTerms(tx, terms, reading);
  const { known, name, ...outcome } = await planGrant(tx, list, reading.timeZone);
  if (list.plan !== undefined && list.plan !== name) {
    throw new AppError("stale_list");
  }
  const { granted: _, ...lists } = outcome;
  const skipped = await keptLists(tx, lists);
  if (known.length === 0) {
    await insertRefusal(tx, actor, { ...ACTION, after: { ...terms, ...skipped } });
    return { data: { ...outcome, batch_id: null }, risk: noRisk("nobody is granted one") };
  }
  const batch_id = await nextBatch(tx);
  const risk = await grant(tx, actor, known, terms, expire_time, batch_id);
  const own = known.flatMap((player) => (player.expire_time === null ? [] : [player]));
  await insertAudit(tx, actor, {
    ...ACTION,
    about: { player: known.map(({ player_key }) => player_key) },
    after: {
      ...terms,
      batch_id,
      user_names: known.map(({ player_key }) => accountRef(player_key)),
      ...skipped,
      ...(own.length > 0 && {
        own_expiry: own.map((player) => ({
          user_name: accountRef(player.player_key),
          expire_time: player.expire_time?.toISOString(),
        })),
      }),
    },
  });
  return { data: { ...outcome, batch_id }, risk };
}
