/** Excludes players from drawing, and lifts exclusions (behaviour §3). */
import { formatDateTime, parseDateTime } from "@red/contract/platform/datetime";
import { AppError, badInput } from "@red/contract/platform/errors";
import { EXCLUSIONS_SHOWN_MAX } from "@red/contract/players/exclusion";
import type { ExclusionOutcome, ExclusionRow } from "@red/contract/players/exclusion";
import { EXCLUSION_KINDS, holdsPayouts } from "@red/contract/platform/codes";
import { text } from "@red/contract/platform/texts";
import { aboveAnySum, noRisk, riskOfPayouts } from "@red/engine/risk";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { notifyPayoutWorkers } from "#platform/db/listen";
import { accountRef, keptLists } from "#platform/player-names";
import { selectClock } from "./extra-time-sql.ts";
import {
  insertExclusions,
  selectExclusion,
  selectInForce,
  selectQueuedPlayers,
  updateExcluded,
  updateHeldPayouts,
  updateLifted,
} from "./exclusion-sql.ts";
import type { NewExclusion } from "./exclusion-sql.ts";
import type { Reading } from "./grant-extra-times.ts";
import { lockDrawers, lockNamedDrawers, selectPlayerKeys } from "./player-sql.ts";

interface Plan {
  readonly made: readonly NewExclusion[];
  readonly taken: readonly ExclusionRow[];
  readonly outcome: ExclusionOutcome;
}

function lasts(one: Date | null): number {
  return one?.getTime() ?? Number.POSITIVE_INFINITY;
}

/**
 * For each account and kind, returns the index of the row that lasts longest. Of several equal rows, the first counts.
 */
function longestRows(places: readonly string[], untils: readonly (Date | null)[]) {
  const longest = new Map<string, number>();
  for (const [at, place] of places.entries()) {
    const best = longest.get(place);
    if (best === undefined || lasts(untils[at] ?? null) > lasts(untils[best] ?? null)) {
      longest.set(place, at);
    }
  }
  return longest;
}

async function outlined(db: Db, made: readonly NewExclusion[], taken: readonly ExclusionRow[]) {
  const keysOf = (some: readonly NewExclusion[]) => new Set(some.map((one) => one.player_key));
  const holding = keysOf(made.filter(({ kind }) => holdsPayouts(kind)));
  return {
    excluded: keysOf(made).size,
    kinds: EXCLUSION_KINDS.flatMap((kind) => {
      const count = made.filter((one) => one.kind === kind).length;
      return count === 0 ? [] : { kind, count };
    }),
    endless: made.filter(({ until }) => until === null).length,
    held: await selectQueuedPlayers(db, [...holding]),
    first: taken.slice(0, EXCLUSIONS_SHOWN_MAX),
  };
}

/** Returns the end time of a row. The last second belongs to the exclusion, so N hours last N full hours. */
function endOf({ until, hours }: ExclusionRow, now: Date, timeZone: string): Date | null {
  if (hours === undefined) {
    return until === null ? null : parseDateTime(until, timeZone);
  }
  return new Date((Math.floor(now.getTime() / 1_000) + hours * 3_600) * 1_000);
}

async function planExclusions(
  db: Db,
  rows: readonly ExclusionRow[],
  { timeZone, language }: Reading,
): Promise<Plan> {
  const now = await selectClock(db);
  const untils = rows.map((row) => endOf(row, now, timeZone));
  const past = untils.findIndex((until) => until !== null && until <= now);
  if (past >= 0) {
    throw badInput([{ field: `rows.${past}.until`, msg: text("until_in_past", language) }]);
  }
  const names = rows.map(({ user_name }) => user_name);
  const named = await selectPlayerKeys(db, names);
  const inForce = new Map<string, number>();
  const keys = named.flatMap(({ player_key }) => player_key ?? []);
  for (const { player_key, kind, until } of await selectInForce(db, keys)) {
    const place = `${player_key} ${kind}`;
    inForce.set(place, Math.max(inForce.get(place) ?? 0, lasts(until)));
  }
  const places = rows.map(({ kind }, at) => `${kind} ${named[at]?.name_key ?? ""}`);
  const longest = longestRows(places, untils);
  const unknown = new Set<string>();
  const doubled = new Set<string>();
  const already = new Set<string>();
  const made: NewExclusion[] = [];
  const taken: ExclusionRow[] = [];
  for (const [at, row] of rows.entries()) {
    const player_key = named[at]?.player_key ?? null;
    const until = untils[at] ?? null;
    if (player_key === null) {
      unknown.add(row.user_name);
    } else if (longest.get(places[at] ?? "") !== at) {
      doubled.add(row.user_name);
    } else if ((inForce.get(`${player_key} ${row.kind}`) ?? 0) >= lasts(until)) {
      already.add(row.user_name);
    } else {
      const { hours: _, ...ends } = row;
      made.push({ player_key, kind: row.kind, reason: row.reason, until });
      taken.push({ ...ends, until: until === null ? null : formatDateTime(until, timeZone) });
    }
  }
  return {
    made,
    taken,
    outcome: {
      ...(await outlined(db, made, taken)),
      unknown: [...unknown],
      doubled: [...doubled],
      already: [...already],
    },
  };
}

/**
 * Returns the answer that `excludePlayers` would give, but writes nothing. Throws bad_input if an
 * end is not in the future.
 */
export async function previewExclusions(
  db: Db,
  rows: readonly ExclusionRow[],
  reading: Reading,
): Promise<ExclusionOutcome> {
  return (await planExclusions(db, rows, reading)).outcome;
}

/**
 * Excludes the known players, with one exclusion per player and kind. `until` is in the business
 * time zone, or null for no end. After the commit, no draw that was running for these players can
 * commit. Throws bad_input if an end is not in the future.
 */
export async function excludePlayers(
  tx: Tx,
  actor: Actor,
  rows: readonly ExclusionRow[],
  source: "operator" | "file",
  reading: Reading,
): Promise<ExclusionOutcome> {
  const names = rows.map(({ user_name }) => user_name);
  await lockNamedDrawers(tx, names);
  const { made, taken, outcome } = await planExclusions(tx, rows, reading);
  const entry = { action: "exclude_players", object_type: "exclusion" };
  const { unknown, doubled, already } = outcome;
  const skipped = await keptLists(tx, { unknown, doubled, already });
  if (made.length === 0) {
    await insertRefusal(tx, actor, { ...entry, after: { source, ...skipped } });
    return outcome;
  }
  await insertExclusions(tx, made, source, actor.name);
  const keysOf = (some: readonly NewExclusion[]) => some.map(({ player_key }) => player_key);
  await updateExcluded(tx, keysOf(made));
  await updateHeldPayouts(tx, keysOf(made.filter(({ kind }) => holdsPayouts(kind))));
  await insertAudit(tx, actor, {
    ...entry,
    after: {
      source,
      exclusions: made.map(({ player_key, kind, reason }, at) => {
        return { user_name: accountRef(player_key), kind, reason, until: taken[at]?.until ?? null };
      }),
      ...skipped,
    },
    about: { player: keysOf(made) },
  });
  return outcome;
}

/** Ends an exclusion now. Throws exclusion_not_found, or exclusion_ended if it is no longer in force. */
export async function liftExclusion(
  tx: Tx,
  actor: Actor,
  id: number,
  reason: string,
): Promise<Costed<null>> {
  const { player_key } = (await selectExclusion(tx, id)) ?? {};
  if (player_key === undefined) {
    throw new AppError("exclusion_not_found");
  }
  await lockDrawers(tx, [player_key]);
  const row = await selectExclusion(tx, id);
  if (row?.in_force !== true) {
    throw new AppError("exclusion_ended");
  }
  const { kind, until } = row;
  await updateLifted(tx, id, actor.name, reason);
  await updateExcluded(tx, [player_key]);
  let risk =
    kind === "self" ? aboveAnySum("one's own exclusion, before its term") : noRisk("a pause");
  if (holdsPayouts(kind)) {
    risk = riskOfPayouts(await updateHeldPayouts(tx, [player_key]));
    await notifyPayoutWorkers(tx);
  }
  await insertAudit(tx, actor, {
    action: "lift_exclusion",
    object_type: "exclusion",
    object_id: id,
    before: { user_name: accountRef(player_key), kind, until },
    after: { reason },
    about: { player: [player_key] },
  });
  return { data: null, risk };
}
