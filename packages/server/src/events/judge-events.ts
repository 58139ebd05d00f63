/** Judges the deposits or bets of a call by the stored rows and by the earlier rows of the call. */
import type { Language } from "@red/contract/platform/texts";
import { EVENT_EPOCH_MS } from "#platform/db/time-ids";
import { monthOf } from "./event-sql.ts";
import { contentOf, NUMBER_HELD_MS } from "./ingest-inputs-sql.ts";
import type { IncomingEvent, IngestInputs } from "./ingest-inputs-sql.ts";
import { rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";

export interface FreshEvent extends Numbered<IncomingEvent> {
  /** Null if the call adds the player. */
  readonly player_key: number | null;
  readonly version: number | null;
}

export interface Judgement {
  readonly fresh: readonly FreshEvent[];
  /** The players to insert: user_name by player_id. */
  readonly added: ReadonlyMap<string, string>;
}

/** A row of the call with a new number and time. Later rows with the same identity are compared with it. */
interface Claim {
  readonly row: IncomingEvent;
  readonly isAccepted: boolean;
}

/** Checks that player_id and user_name of unknown players belong together, and remembers new players. */
function newPlayers(unknown: IngestInputs["unknown"]) {
  const given = new Map(unknown?.map(([position, ...name]) => [position, name]));
  const names = new Map<string, string>();
  const holders = new Set<string>();
  return {
    isNew: (position: number, row: IncomingEvent) =>
      given.has(position) && !names.has(row.player_id),
    matches(position: number, { player_id }: IncomingEvent): boolean {
      const [name_key, isTaken] = given.get(position) ?? [];
      const name = names.get(player_id);
      if (name_key === undefined || name !== undefined) {
        return name === name_key;
      }
      if (isTaken === true || holders.has(name_key)) {
        return false;
      }
      names.set(player_id, name_key);
      holders.add(name_key);
      return true;
    },
  };
}

/** Whether an earlier row of the call has the same number and player, at another time within a day. */
function isHeldBy(claims: readonly Claim[], { at, player_id }: IncomingEvent): boolean {
  return claims.some(
    ({ row, isAccepted }) =>
      isAccepted && row.player_id === player_id && Math.abs(row.at - at) <= NUMBER_HELD_MS,
  );
}

/**
 * Judges the rows in order and writes the verdicts. Returns the rows and players to store; a rejected row adds no
 * player. If `candidates` is given, only rows with these indexes can be accepted.
 */
export function judgeEvents(
  entries: readonly Numbered<IncomingEvent>[],
  inputs: IngestInputs,
  candidates: ReadonlySet<number> | null,
  language: Language,
  verdicts: Verdict[],
): Judgement {
  const { latest, player_keys, versions } = inputs;
  const detached = new Set(inputs.detached);
  const misnamed = new Set(inputs.misnamed);
  const stored = new Map(inputs.earlier?.filter(([, content]) => content !== null));
  const held = new Set(inputs.earlier?.map(([position]) => position));
  const players = newPlayers(inputs.unknown);
  const claims = new Map<string, Claim[]>();
  const fresh: FreshEvent[] = [];
  const added = new Map<string, string>();
  const judge = (position: number, index: number, row: IncomingEvent): Verdict => {
    const { no, at, player_id } = row;
    if (at < EVENT_EPOCH_MS || at > latest) {
      return rejected("created_at_range", language);
    }
    if (detached.size > 0 && detached.has(monthOf(new Date(at)))) {
      return rejected("created_at_detached", language);
    }
    const before = claims.get(no) ?? [];
    const twin = before.find((claim) => claim.row.at === at);
    const content = stored.get(position) ?? (twin && contentOf(twin.row));
    const isNew = players.isNew(position, row);
    if (isNew && content !== undefined) {
      return rejected("conflict", language);
    }
    const player_key = player_keys?.[position] ?? null;
    if (player_key === null ? !players.matches(position, row) : misnamed.has(position)) {
      return rejected("player_mismatch", language);
    }
    if (twin?.isAccepted === false) {
      return rejected("number_again", language);
    }
    if (content !== undefined) {
      return content === contentOf(row) ? "duplicate" : rejected("conflict", language);
    }
    const isAccepted = !held.has(position) && !isHeldBy(before, row);
    if (candidates?.has(index) === false) {
      return rejected("conflict", language);
    }
    claims.set(no, [...before, { row, isAccepted }]);
    if (!isAccepted) {
      return rejected("number_again", language);
    }
    if (isNew) {
      added.set(player_id, row.user_name);
    }
    fresh.push({ index, row, player_key, version: versions?.[position] ?? null });
    return "accepted";
  };
  for (const [position, { index, row }] of entries.entries()) {
    verdicts[index] = judge(position, index, row);
  }
  return { fresh, added };
}
