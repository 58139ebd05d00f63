/**
 * Reads the chances of many players of a round at once (behaviour §4), for draws and for platform
 * calls. One statement reads what changes with every draw (chance-inputs.sql). The facts about
 * deposits or bets are cached while the version of the player stays the same.
 */
import { ceilingOf, chancesOf, earnedDraws, nextChance, NO_FACTS } from "@red/engine/chances";
import type { EarningFacts, UsableExtra } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import type { ChanceRound } from "#rounds/activity-sql";
import { daysAround, selectEarningFacts } from "./chance-sql.ts";
import type { PlayerChances } from "./chance-sql.ts";

export interface DrawnRound extends ChanceRound {
  readonly version: number;
  readonly pool_id: number;
  /** True if the round is active and inside its window, by the clock of the database. */
  readonly is_open: boolean;
}

/** A player with the chances in the round, from one view of the database. */
export interface ChancePlayer {
  readonly player_key: number;
  readonly player_id: string;
  readonly version: number;
  /** Unlike `version`, it does not change when rows arrive that can only add chances. */
  readonly draw_version: number;
  readonly blocked: boolean;
  /** Whether the player was excluded at the time of the read (behaviour §3). */
  readonly excluded: boolean;
  readonly facts: EarningFacts;
  readonly earned: number;
  /**
   * Number of records in the round. `earned_used` counts the records on earned chances. A commit of
   * the player's draws updates both.
   */
  already: number;
  earned_used: number;
  /** Number of records of the business day in all rounds; 0 if the round has no daily limit. */
  drawn_today: number;
  /** The usable extra times of the group, in any order. */
  extras: readonly UsableExtra[];
}

export interface ChanceInputs {
  readonly round: Readonly<Record<string, unknown>> | null;
  readonly players: string | null;
}

type PlayerRow = readonly [
  at: number,
  player_key: number,
  version: number,
  draw_version: number,
  barred: 0 | 1 | 2,
  already: number,
  extra_used: number,
  drawn_today: number,
  extra_id?: number,
  expire_at_ms?: number,
];

interface KnownPlayer {
  /** The rule version for which `player.earned` was counted. */
  rule_version: number;
  player: ChancePlayer;
}

/**
 * Caches players as last read, by round and `player_id`, at most `max` players. Removes players of
 * the least recently used round first, and in a round the player cached first. The database may
 * have changed since the read; if `player.version` differs, the facts are read again.
 */
export interface ChanceMemory {
  readonly timeZone: string;
  playersOf(rounds_id: number): ReadonlyMap<string, KnownPlayer>;
  keep(rounds_id: number, rule_version: number, players: Iterable<ChancePlayer>): void;
  /** Removes the players of a round that allows no draws. */
  forget(rounds_id: number): void;
  size(): number;
}

const MEMORY_MAX = 200_000;

export function chanceMemory(timeZone = "Asia/Shanghai", max: number = MEMORY_MAX): ChanceMemory {
  /** The most recently used round is last. */
  const rounds = new Map<number, Map<string, KnownPlayer>>();
  let size = 0;

  function touch(rounds_id: number): Map<string, KnownPlayer> {
    const players = rounds.get(rounds_id) ?? new Map<string, KnownPlayer>();
    rounds.delete(rounds_id);
    rounds.set(rounds_id, players);
    return players;
  }

  function makeRoom(): void {
    for (const [rounds_id, players] of rounds) {
      for (const player_id of players.keys()) {
        if (size <= max) {
          return;
        }
        players.delete(player_id);
        size -= 1;
      }
      rounds.delete(rounds_id);
    }
  }

  return {
    timeZone,
    playersOf: touch,
    keep(rounds_id, rule_version, kept) {
      const players = touch(rounds_id);
      for (const player of kept) {
        const known = players.get(player.player_id);
        if (known === undefined) {
          players.set(player.player_id, { rule_version, player });
          size += 1;
        } else {
          known.rule_version = rule_version;
          known.player = player;
        }
      }
      makeRoom();
    },
    forget(rounds_id) {
      size -= rounds.get(rounds_id)?.size ?? 0;
      rounds.delete(rounds_id);
    },
    size: () => size,
  };
}

const INSTANTS = ["achieve_start_time", "achieve_end_time", "start_time", "end_time"] as const;

export function roundOf({ round }: ChanceInputs): DrawnRound | null {
  if (round === null) {
    return null;
  }
  const instants = INSTANTS.map((name) => [name, new Date(String(round[name]))] as const);
  // The table row has these types; only times are text in JSON.
  return { ...round, ...Object.fromEntries(instants) } as unknown as DrawnRound;
}

/** Returns the players of `chance_inputs` by their `player_id`. `player_ids` is the argument of that call. */
export async function playersOf(
  db: Db,
  inputs: ChanceInputs,
  round: DrawnRound,
  player_ids: readonly string[],
  memory: ChanceMemory,
): Promise<Map<string, ChancePlayer>> {
  // Our own function wrote the text, so it needs no check.
  const rows = JSON.parse(inputs.players ?? "[]") as readonly PlayerRow[];
  const known = memory.playersOf(round.id);
  const idOf = ([at]: PlayerRow) => player_ids[at - 1] ?? "";
  const knownOf = (row: PlayerRow) => {
    const [, , version] = row;
    const last = known.get(idOf(row));
    const isSame = last?.player.version === version && last.rule_version === round.version;
    return isSame ? last.player : undefined;
  };
  // Read the cache first: while facts are read, it may get a later version or lose the player.
  const before = rows.map(knownOf);
  const missing = rows.filter((_, at) => before[at] === undefined).map(([, key]) => key);
  const read =
    missing.length === 0
      ? new Map<number, EarningFacts>()
      : await selectEarningFacts(db, round, [...new Set(missing)]);
  const players = new Map<string, ChancePlayer>();
  for (const [at, row] of rows.entries()) {
    const [, player_key, version, draw_version, barred, already, extra_used, drawn_today] = row;
    const [id, expire_at_ms = 0] = row.slice(8);
    const player_id = idOf(row);
    // Facts may be newer than the row; then the commit of a draw detects the new version.
    const facts = before[at]?.facts ?? read.get(player_key) ?? NO_FACTS;
    const extras = players.get(player_id)?.extras ?? [];
    players.set(player_id, {
      player_key,
      player_id,
      version,
      draw_version,
      blocked: barred === 1,
      excluded: barred === 2,
      facts,
      earned: before[at]?.earned ?? earnedDraws(round, facts),
      already,
      earned_used: already - extra_used,
      drawn_today,
      extras: id === undefined ? extras : [...extras, { id, expire_at_ms }],
    });
  }
  memory.keep(round.id, round.version, players.values());
  return players;
}

/** Returns the chances in the form of `lottimes`, with the amount missing for the next chance. */
function toChances(round: DrawnRound, player: ChancePlayer): PlayerChances {
  const { earned, already, earned_used, extras, facts } = player;
  const ceiling = ceilingOf(round, player);
  const counts = {
    earned,
    already,
    extra_unused: extras.length,
    extra_used_here: already - earned_used,
  };
  const chances = chancesOf(counts, ceiling);
  const next = round.is_window_over ? null : nextChance(round, facts, chances, ceiling);
  return { ...chances, next };
}

export type ChanceAnswer = PlayerChances | "round_not_found" | "player_not_found";

export interface ChanceReader {
  /** Calls that arrive during a read share the next statement, as draws do. */
  read(rounds_id: number, player_id: string): Promise<ChanceAnswer>;
}

const PLAYERS_MAX = 512;

async function readMany(
  db: Db,
  rounds_id: number,
  player_ids: readonly string[],
  memory: ChanceMemory,
): Promise<(player_id: string) => ChanceAnswer> {
  const { rows } = await sql<ChanceInputs>`
    select round, players from chance_inputs(${rounds_id}::bigint, ${player_ids}::text[],
      ${daysAround(memory.timeZone)}::timestamptz[])`.execute(db);
  const [inputs = { round: null, players: null }] = rows;
  const round = roundOf(inputs);
  if (round === null) {
    return () => "round_not_found";
  }
  const players = await playersOf(db, inputs, round, player_ids, memory);
  return (player_id) => {
    const player = players.get(player_id);
    return player === undefined ? "player_not_found" : toChances(round, player);
  };
}

export function chanceReader(db: Db, memory: ChanceMemory): ChanceReader {
  interface Asked {
    readonly player_id: string;
    readonly resolve: (answer: ChanceAnswer) => void;
    readonly reject: (fault: unknown) => void;
  }
  const waiting = new Map<number, Asked[]>();

  async function readNext(rounds_id: number, queue: Asked[]): Promise<void> {
    const asked = queue.splice(0, PLAYERS_MAX);
    if (asked.length === 0) {
      waiting.delete(rounds_id);
      return;
    }
    try {
      const player_ids = [...new Set(asked.map(({ player_id }) => player_id))];
      const answerOf = await readMany(db, rounds_id, player_ids, memory);
      asked.forEach(({ player_id, resolve }) => resolve(answerOf(player_id)));
    } catch (fault) {
      asked.forEach(({ reject }) => reject(fault));
    }
    setImmediate(() => void readNext(rounds_id, queue));
  }

  return {
    read: (rounds_id, player_id) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(rounds_id) ?? [];
        queue.push({ player_id, resolve, reject });
        if (!waiting.has(rounds_id)) {
          waiting.set(rounds_id, queue);
          setImmediate(() => void readNext(rounds_id, queue));
        }
      }),
  };
}
