/**
 * Executes a batch of draws in one round (behaviour §5): reads their inputs, decides each in turn by the
 * engine's rules, commits all at once. The commit checks all inputs again under locks. It leaves out draws whose inputs have
 * changed; the caller asks for them again.
 */
import { hash, randomBytes, randomInt } from "node:crypto";
import type { DrawRequest } from "@red/contract/draws/draw";
import type { ErrorKey } from "@red/contract/platform/errors";
import { ceilingOf, chancesOf, chooseChance, countedRule } from "@red/engine/chances";
import type { UsableExtra } from "@red/engine/chances";
import { pickPrize, weightTable } from "@red/engine/draw";
import type { WeightTable } from "@red/engine/draw";
import { playersOf, roundOf } from "#chances/chance-reader";
import { daysAround } from "#chances/chance-sql";
import type { ChanceMemory, ChancePlayer, DrawnRound } from "#chances/chance-reader";
import type { Db } from "#platform/db/connection";
import { commitDraws, selectDrawInputs } from "./draw-sql.ts";
import type { DecidedBatch, DecidedDraw, DrawInputs, DrawPrize, DrawRow } from "./draw-sql.ts";

export interface AskedDraw extends DrawRequest {
  readonly key: string;
}

/** Returns a hash of the request content as hex, to detect a different request with the same request_id. */
function bodyHash({ rounds_id, player_id }: DrawRequest): string {
  return hash("sha256", JSON.stringify([rounds_id, player_id]), "hex");
}

export type DrawResult =
  | { readonly drawn: DrawRow & { readonly isRepeat: boolean } }
  | { readonly refused: ErrorKey };

interface PlayerState {
  readonly player: ChancePlayer;
  /** True if an earlier batch read the player: the player may have earned more since. */
  readonly isRemembered: boolean;
  /** Number of the player's first draw in this batch. */
  readonly first_no: number;
  already: number;
  earned_used: number;
  drawn_today: number;
  extras: readonly UsableExtra[];
}

function stateOf(player: ChancePlayer, isRemembered: boolean): PlayerState {
  const { already, earned_used, drawn_today } = player;
  // A cached extra time may have expired; the commit checks it by the clock of the database.
  const now = Date.now();
  const extras =
    player.extras.length === 0
      ? player.extras
      : player.extras.filter(({ expire_at_ms }) => expire_at_ms + 1_000 > now);
  return { player, isRemembered, first_no: already + 1, already, earned_used, drawn_today, extras };
}

/**
 * Returns the chance that the next draw uses: the id of an extra time, null for an earned chance,
 * or the error key if no chance is left. A cached player without an earned chance is rejected and
 * read again, because newly earned chances are used before extra times.
 */
function takeChance(state: PlayerState, round: DrawnRound): number | null | ErrorKey {
  const { player, isRemembered, already, earned_used, extras } = state;
  if (isRemembered && earned_used >= player.earned && countedRule(round) !== null) {
    return "no_chance_left";
  }
  const counts = {
    earned: player.earned,
    already,
    extra_unused: extras.length,
    extra_used_here: already - earned_used,
  };
  const { remain, limited_by } = chancesOf(counts, ceilingOf(round, state));
  const chance = chooseChance({
    earned: player.earned,
    earned_used,
    extras,
    round_end_ms: round.end_time.getTime(),
    remain,
  });
  if (chance === null) {
    return limited_by === null ? "no_chance_left" : "limit_reached";
  }
  return chance.kind === "earned" ? null : chance.id;
}

function useChance(state: PlayerState, extra_time_id: number | null): void {
  state.already += 1;
  state.drawn_today += 1;
  if (extra_time_id === null) {
    state.earned_used += 1;
    return;
  }
  state.extras = state.extras.filter((extra) => extra.id !== extra_time_id);
}

const SN_RANDOM_BYTES = 10;

/**
 * Returns new `trans_sn` values: 32 hex digits. The time comes first, so that numbers of one hour
 * are close together in the index.
 */
function transSns(count: number): string[] {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = randomBytes(count * SN_RANDOM_BYTES).toString("hex");
  const digits = 2 * SN_RANDOM_BYTES;
  return Array.from(
    { length: count },
    (_, at) => time + random.slice(at * digits, (at + 1) * digits),
  );
}

function decideOne(
  asked: AskedDraw,
  round: DrawnRound,
  table: WeightTable<DrawPrize>,
  states: ReadonlyMap<string, PlayerState>,
  trans_sn: string,
): DecidedDraw | ErrorKey {
  const state = states.get(asked.player_id);
  if (state === undefined) {
    return "player_not_found";
  }
  if (state.player.blocked) {
    return "player_blocked";
  }
  if (state.player.excluded) {
    return "player_excluded";
  }
  const extra_time_id = takeChance(state, round);
  if (typeof extra_time_id === "string") {
    return extra_time_id;
  }
  const pick = pickPrize(table, randomInt);
  const prize = table.prizes.find((item) => item.id === pick?.prize_id);
  if (pick === null || prize === undefined) {
    return "sold_out";
  }
  prize.left -= 1;
  useChance(state, extra_time_id);
  return {
    key: asked.key,
    request_id: asked.request_id,
    body_hash: bodyHash(asked),
    trans_sn,
    player_key: state.player.player_key,
    draw_no: state.already,
    extra_time_id,
    ...pick,
  };
}

/**
 * Decides the draws in order, each on the result of the draws before it. For each requested draw,
 * `outcomes` contains an error key or the index of the decided draw.
 */
function decide(
  asked: readonly AskedDraw[],
  round: DrawnRound,
  pool_version: number,
  prizes: readonly DrawPrize[],
  states: ReadonlyMap<string, PlayerState>,
) {
  const isEmpty = new Map(prizes.map((prize) => [prize.id, prize.left === 0]));
  const table = weightTable(prizes);
  const draws: DecidedDraw[] = [];
  const sns = transSns(asked.length);
  const outcomes = asked.map((draw, at) => {
    const decided = decideOne(draw, round, table, states, sns[at] ?? "");
    return typeof decided === "string" ? decided : draws.push(decided) - 1;
  });
  const drawing = [...states.values()].filter(({ already, first_no }) => already >= first_no);
  const batch: DecidedBatch = {
    rounds_id: round.id,
    rule_version: round.version,
    pool_id: round.pool_id,
    pool_version,
    players: drawing
      .map((state) => {
        const { player, first_no, already, earned_used } = state;
        const earned_draws = earned_used - player.earned_used;
        const isEarned = already - first_no + 1 === earned_draws;
        return {
          player_key: player.player_key,
          draw_version: player.draw_version,
          first_no,
          earned_used_max: isEarned ? player.earned - earned_draws : -1,
        };
      })
      .toSorted((one, other) => one.player_key - other.player_key),
    draws,
    prizes: prizes.map(({ id, left }) => ({
      id,
      empty_before: isEmpty.get(id) === true,
      empty_after: left === 0,
    })),
  };
  return { batch, outcomes };
}

function nameOf(draw: { readonly key: string; readonly request_id: string }): string {
  return `${draw.key} ${draw.request_id}`;
}

/** Returns the results of requests that already have a record. Such a result is final (behaviour §5). */
function answeredBefore(inputs: DrawInputs, asked: readonly AskedDraw[]): Map<string, DrawResult> {
  const hashes = new Map(asked.map((draw) => [nameOf(draw), bodyHash(draw)]));
  return new Map(
    (inputs.answered ?? []).map(({ key, request_id, body_hash, ...row }): [string, DrawResult] => {
      const name = nameOf({ key, request_id });
      const drawn = { ...row, created_at: new Date(row.created_at), isRepeat: true };
      const isSame = hashes.get(name) === body_hash;
      return [name, isSame ? { drawn } : { refused: "request_id_reused" }];
    }),
  );
}

/** Updates the chances of the players who drew. The cache contains these same objects. */
function keepUse(states: Iterable<PlayerState>): void {
  for (const { player, first_no, already, earned_used, drawn_today, extras } of states) {
    if (already >= first_no) {
      player.already = already;
      player.earned_used = earned_used;
      player.drawn_today = drawn_today;
      player.extras = extras;
    }
  }
}

interface Batch {
  readonly asked: readonly AskedDraw[];
  readonly inputs: DrawInputs;
  /** The `player_id`s that were read for the batch. */
  readonly read: ReadonlySet<string>;
  /** The players that were cached before the read. */
  readonly remembered: ReturnType<ChanceMemory["playersOf"]>;
}

/** Decides and commits draws that have no answer yet. Returns null for a draw whose player has changed. */
async function drawOpen(
  db: Db,
  { asked, inputs, read, remembered }: Batch,
  memory: ChanceMemory,
  lane: LaneMemory,
): Promise<(DrawResult | null)[]> {
  const round = roundOf(inputs);
  const [{ rounds_id } = { rounds_id: 0 }] = asked;
  if (asked.length === 0) {
    return [];
  }
  if (round === null || !round.is_open) {
    memory.forget(rounds_id);
    const refused = round === null ? "round_not_found" : "round_not_active";
    return asked.map(() => ({ refused }));
  }
  if (inputs.is_stopped) {
    return asked.map(() => ({ refused: "draws_stopped" }));
  }
  const players = await playersOf(db, inputs, round, [...read], memory);
  const states = new Map<string, PlayerState>();
  players.forEach((player, id) => states.set(id, stateOf(player, false)));
  for (const { player_id } of asked) {
    const known = remembered.get(player_id);
    // A player that was read but not found has been erased, so the cache must not be used.
    if (known?.rule_version === round.version && !read.has(player_id)) {
      states.set(player_id, stateOf(known.player, true));
    }
  }
  const prizes = inputs.prizes ?? [];
  const { batch, outcomes } = decide(asked, round, inputs.pool_version, prizes, states);
  const { log_ids, created_at, is_shared } =
    batch.draws.length === 0
      ? { log_ids: [], created_at: new Date(0), is_shared: lane.isShared }
      : await commitDraws(db, batch, daysAround(memory.timeZone));
  lane.isShared = is_shared;
  // Skipped draws count here too, but their next attempt reads the players again.
  keepUse(states.values());
  const prizeOf = new Map(prizes.map((prize) => [prize.id, prize]));
  return outcomes.map((outcome): DrawResult | null => {
    if (typeof outcome === "string") {
      return { refused: outcome };
    }
    const draw = batch.draws[outcome];
    const log_id = log_ids[outcome] ?? null;
    const prize = prizeOf.get(draw?.prize_id ?? 0);
    if (draw === undefined || prize === undefined || log_id === null) {
      return null;
    }
    const { award_name, award_price_cents } = prize;
    const { trans_sn } = draw;
    const made = { log_id, trans_sn, rounds_id, award_name, award_price_cents, created_at };
    return { drawn: { ...made, isRepeat: false } };
  });
}

export interface LaneMemory {
  /** Inputs of the last batch with the stock after it; null if it failed. The commit checks all of it. */
  inputs: DrawInputs | null;
  /** True if another process draws for the same players. */
  isShared: boolean;
}

/**
 * Draws for all of `asked`, which belong to one round and contain no request twice. The results are in the same order.
 * A result is final: a record is committed, or the draw was rejected and nothing changed. Null means that nothing was
 * written for this draw and that the caller may ask again. Throws database errors; then nothing was written at all.
 * `first` are draws without an earlier attempt. To save reads, no earlier answer is looked up for them, and data in
 * `memory` and `lane` is not read again. So their rejections are not final (null), an answered request violates the key
 * of `draw_request`, and draws of changed players are skipped.
 */
export async function drawPrizes(
  db: Db,
  asked: readonly AskedDraw[],
  memory: ChanceMemory,
  first: ReadonlySet<AskedDraw> = new Set(),
  lane: LaneMemory = { inputs: null, isShared: false },
): Promise<(DrawResult | null)[]> {
  const [{ rounds_id } = { rounds_id: 0 }] = asked;
  const isFirst = (draw: AskedDraw | undefined) => draw !== undefined && first.has(draw);
  const again = asked.filter((draw) => !first.has(draw));
  const known = memory.playersOf(rounds_id);
  const unread = new Set(again.map(({ player_id }) => player_id));
  for (const { player_id } of asked) {
    if (!known.has(player_id)) {
      unread.add(player_id);
    }
  }
  const inputs =
    lane.inputs !== null && unread.size === 0
      ? { ...lane.inputs, answered: null, players: null }
      : await selectDrawInputs(db, rounds_id, [...unread], again, daysAround(memory.timeZone));
  const answered = answeredBefore(inputs, again);
  const open = answered.size === 0 ? asked : asked.filter((draw) => !answered.has(nameOf(draw)));
  lane.inputs = inputs;
  const batch = { asked: open, inputs, read: unread, remembered: known };
  const results = await drawOpen(db, batch, memory, lane).catch((fault) => {
    lane.inputs = null;
    throw fault;
  });
  const final = results.map((result, at) =>
    result !== null && "refused" in result && isFirst(open[at]) ? null : result,
  );
  if (answered.size === 0) {
    return final;
  }
  const byName = new Map(open.map((draw, at) => [nameOf(draw), final[at] ?? null]));
  return asked.map((draw) => answered.get(nameOf(draw)) ?? byName.get(nameOf(draw)) ?? null);
}
