/**
 * Executes a batch of draws in one round (behaviour §5): reads their inputs, decides each in turn by the
 * engine's rules, commits all at once. The commit checks all inputs again under locks; after a change, the
 * batch is read and decided again.
 */
import { randomBytes, randomInt } from "node:crypto";
import type { DrawRequest } from "@red/contract/draw";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { chancesOf, chooseChance, earnedDraws } from "@red/engine/chances";
import { pickPrize, weightTable } from "@red/engine/draw";
import type { WeightTable } from "@red/engine/draw";
import { selectChanceUse, selectEarningFacts } from "#players/chance-sql";
import type { ChanceUse } from "#players/chance-sql";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { hasSqlState } from "#platform/constraints";
import {
  BATCH_STALE,
  commitDraws,
  lockDraw,
  selectAnsweredDraws,
  selectDrawPlayers,
  selectDrawRound,
} from "./draw-sql.ts";
import type { DecidedDraw, DrawPlayer, DrawPrize, DrawRound, StockChange } from "./draw-sql.ts";

export interface AskedDraw extends DrawRequest {
  /** The platform key that sent the request_id. */
  readonly key: string;
  /** Hash of the request; another hash under the same request_id is refused. */
  readonly body_hash: Buffer;
}

/** A committed draw; `isRepeat` when the request had been answered before. */
export interface Drawn {
  readonly log_id: number;
  readonly trans_sn: string;
  readonly rounds_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly created_at: Date;
  readonly isRepeat: boolean;
}

export type DrawResult = { readonly drawn: Drawn } | { readonly refused: ErrorKey };

/** Each player's number of earned draws, cached while nothing that counts has changed. */
export interface EarnedMemory {
  readonly players: Map<number, { version: number; rule_version: number; earned: number }>;
}

const EARNED_MEMORY_MAX = 200_000;
/** Attempts before a batch gives up; after `OPTIMISTIC_ATTEMPTS` it locks its inputs first. */
const ATTEMPTS_MAX = 12;
const OPTIMISTIC_ATTEMPTS = 2;

/** Conflicts with other transactions: stale input, serialization failure, deadlock. */
const OVERTAKEN_STATES = [BATCH_STALE, "40001", "40P01"] as const;
/** A unique violation is retried too; one that stays is a defect. */
const RETRY_STATES = [...OVERTAKEN_STATES, "23505"] as const;
const OVERLOADED_SECONDS = 1;

/** Earned draws of the players, from memory while their version is unchanged. */
async function earnedOf(
  db: Db,
  round: DrawRound,
  players: readonly DrawPlayer[],
  memory: EarnedMemory,
): Promise<void> {
  const missing = players.filter((player) => {
    const known = memory.players.get(player.player_key);
    return known?.version !== player.version || known.rule_version !== round.version;
  });
  if (missing.length === 0) {
    return;
  }
  if (memory.players.size + missing.length > EARNED_MEMORY_MAX) {
    memory.players.clear();
  }
  const facts = await selectEarningFacts(
    db,
    round,
    missing.map((player) => player.player_key),
  );
  for (const [player_key, { version, facts: playerFacts }] of facts) {
    memory.players.set(player_key, {
      version,
      rule_version: round.version,
      earned: earnedDraws(round, playerFacts),
    });
  }
}

/** A player's remaining chances while a batch is decided. */
interface PlayerState {
  readonly player: DrawPlayer;
  readonly earned: number;
  already: number;
  earned_used: number;
  extra_used_here: number;
  extras: { readonly id: number; readonly expire_at_ms: number }[];
}

function stateOf(player: DrawPlayer, earned: number, use: ChanceUse): PlayerState {
  return {
    player,
    earned,
    already: use.already,
    earned_used: use.earned_used,
    extra_used_here: use.extra_used_here,
    extras: use.extras.map((extra) => ({
      id: extra.id,
      expire_at_ms: extra.expire_time.getTime(),
    })),
  };
}

/** Takes one chance of the player; undefined when none is left. Null stands for an earned one. */
function takeChance(state: PlayerState, round: DrawRound): number | null | undefined {
  const { remain } = chancesOf({
    earned: state.earned,
    already: state.already,
    extra_unused: state.extras.length,
    extra_used_here: state.extra_used_here,
  });
  const chance = chooseChance({
    earned: state.earned,
    earned_used: state.earned_used,
    extras: state.extras,
    round_end_ms: round.end_time.getTime(),
    remain,
  });
  if (chance === null) {
    return undefined;
  }
  if (chance.kind === "earned") {
    return null;
  }
  return chance.id;
}

function useChance(state: PlayerState, extra_time_id: number | null): void {
  state.already += 1;
  if (extra_time_id === null) {
    state.earned_used += 1;
    return;
  }
  state.extra_used_here += 1;
  state.extras = state.extras.filter((extra) => extra.id !== extra_time_id);
}

interface Decision {
  readonly draws: DecidedDraw[];
  readonly stock: StockChange[];
  /** Per requested draw: the refusal's key, or the index of the decided draw. */
  readonly outcomes: (ErrorKey | number)[];
}

function decideOne(
  asked: AskedDraw,
  round: DrawRound,
  table: WeightTable<DrawPrize>,
  states: ReadonlyMap<string, PlayerState>,
): DecidedDraw | ErrorKey {
  const state = states.get(asked.player_id);
  if (state === undefined) {
    return "player_not_found";
  }
  if (state.player.blocked) {
    return "player_blocked";
  }
  const extra_time_id = takeChance(state, round);
  if (extra_time_id === undefined) {
    return "no_chance_left";
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
    body_hash: asked.body_hash,
    trans_sn: randomBytes(16).toString("hex"),
    player_key: state.player.player_key,
    player_version: state.player.version,
    draw_no: state.already,
    extra_time_id,
    prize_id: pick.prize_id,
    ticket: pick.ticket,
    fallback_ticket: pick.fallback_ticket,
    exhausted: pick.exhausted,
  };
}

/** Decides the draws in turn, each on the result of those before it. */
function decide(
  asked: readonly AskedDraw[],
  round: DrawRound,
  states: ReadonlyMap<string, PlayerState>,
): Decision {
  const before = new Map(round.prizes.map((prize) => [prize.id, prize.left]));
  const table = weightTable(round.prizes);
  const draws: DecidedDraw[] = [];
  const outcomes = asked.map((draw) => {
    const decided = decideOne(draw, round, table, states);
    return typeof decided === "string" ? decided : draws.push(decided) - 1;
  });
  const stock = round.prizes.map((prize) => {
    const left = before.get(prize.id) ?? 0;
    return {
      prize_id: prize.id,
      taken: left - prize.left,
      empty_before: left === 0,
      empty_after: prize.left === 0,
    };
  });
  return { draws, stock, outcomes };
}

async function readStates(
  db: Db,
  asked: readonly AskedDraw[],
  round: DrawRound,
  memory: EarnedMemory,
): Promise<Map<string, PlayerState>> {
  const players = await selectDrawPlayers(
    db,
    asked.map((draw) => draw.player_id),
  );
  const all = [...players.values()];
  const keys = all.map((player) => player.player_key);
  await earnedOf(db, round, all, memory);
  const uses = await selectChanceUse(db, round.id, round.tag, keys);
  const states = new Map<string, PlayerState>();
  for (const [player_id, player] of players) {
    const earned = memory.players.get(player.player_key)?.earned ?? 0;
    const use = uses.get(player.player_key);
    if (use !== undefined) {
      states.set(player_id, stateOf(player, earned, use));
    }
  }
  return states;
}

function drawnOf(record: Omit<Drawn, "isRepeat">, isRepeat: boolean): DrawResult {
  const { log_id, trans_sn, rounds_id, award_name, award_price_cents, created_at } = record;
  return {
    drawn: { log_id, trans_sn, rounds_id, award_name, award_price_cents, created_at, isRepeat },
  };
}

/** One attempt at the draws that were not answered before. */
async function attempt(
  db: Db,
  asked: readonly AskedDraw[],
  memory: EarnedMemory,
): Promise<DrawResult[]> {
  const rounds_id = asked[0]?.rounds_id ?? 0;
  const round = await selectDrawRound(db, rounds_id);
  if (round === null || !round.is_open) {
    const refused = round === null ? "round_not_found" : "round_not_active";
    return asked.map(() => ({ refused }));
  }
  if (round.is_stopped) {
    return asked.map(() => ({ refused: "draws_stopped" }));
  }
  const states = await readStates(db, asked, round, memory);
  const decision = decide(asked, round, states);
  const committed =
    decision.draws.length === 0 ? [] : await commitDraws(db, round, decision.draws, decision.stock);
  const byOrd = new Map(committed.map((row) => [row.ord - 1, row]));
  const prizes = new Map(round.prizes.map((prize) => [prize.id, prize]));
  return decision.outcomes.map((outcome): DrawResult => {
    if (typeof outcome === "string") {
      return { refused: outcome };
    }
    const draw = decision.draws[outcome];
    const row = byOrd.get(outcome);
    const prize = prizes.get(draw?.prize_id ?? 0);
    if (draw === undefined || row === undefined || prize === undefined) {
      throw new Error("draw_commit answered for another batch");
    }
    return drawnOf({ ...draw, ...prize, ...row, rounds_id }, false);
  });
}

function nameOf(draw: { readonly key: string; readonly request_id: string }): string {
  return `${draw.key} ${draw.request_id}`;
}

/** Results of requests that already have a record, which stay the answer for good (behaviour §5). */
async function answeredBefore(
  db: Db,
  asked: readonly AskedDraw[],
): Promise<Map<string, DrawResult>> {
  const rows = await selectAnsweredDraws(
    db,
    asked.map((draw) => draw.key),
    asked.map((draw) => draw.request_id),
  );
  const hashes = new Map(asked.map((draw) => [nameOf(draw), draw.body_hash]));
  return new Map(
    rows.map((row) => {
      const isSame = hashes.get(nameOf(row))?.equals(row.body_hash) === true;
      return [nameOf(row), isSame ? drawnOf(row, true) : { refused: "request_id_reused" }];
    }),
  );
}

/**
 * Draws for all of `asked`, which belong to one round and repeat no request; results are in their order.
 * Every returned result is final: a record is committed, a refusal changed nothing. Throws database errors,
 * and `overloaded` after too many conflicts; then nothing was written and the requests may be sent again.
 */
export async function drawPrizes(
  db: Db,
  asked: readonly AskedDraw[],
  memory: EarnedMemory,
): Promise<DrawResult[]> {
  for (let attemptNo = 1; ; attemptNo += 1) {
    const answered = await answeredBefore(db, asked);
    const open = asked.filter((draw) => !answered.has(nameOf(draw)));
    try {
      const fresh =
        open.length === 0
          ? []
          : attemptNo <= OPTIMISTIC_ATTEMPTS
            ? await attempt(db, open, memory)
            : await inTransaction(db, async (tx) => {
                const players = open.map((draw) => draw.player_id);
                await lockDraw(tx, open[0]?.rounds_id ?? 0, players);
                return await attempt(tx, open, memory);
              });
      const results = new Map(fresh.map((result, index) => [open[index], result]));
      return asked.map((draw) => {
        const result = answered.get(nameOf(draw)) ?? results.get(draw);
        if (result === undefined) {
          throw new Error("a draw was lost between its decision and its answer");
        }
        return result;
      });
    } catch (fault) {
      if (!hasSqlState(fault, ...RETRY_STATES)) {
        throw fault;
      }
      if (attemptNo >= ATTEMPTS_MAX) {
        throw hasSqlState(fault, ...OVERTAKEN_STATES)
          ? new AppError("overloaded", { seconds: OVERLOADED_SECONDS })
          : fault;
      }
    }
  }
}
