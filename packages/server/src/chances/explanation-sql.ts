/**
 * Explains the number of draws of a player in a round (behaviour §4, §5). Every function reads one
 * snapshot (`inOneView`), so the numbers are consistent.
 */
import {
  EXPLAINED_ROWS_MAX,
  EXPLAINED_USES_MAX,
  NEAR_ROWS_MAX,
} from "@red/contract/chances/explanation";
import type { DrawGate } from "@red/contract/chances/explanation";
import type { EventKind } from "@red/contract/events/event";
import {
  ceilingOf,
  chancesOf,
  countedRule,
  earnedDraws,
  FACTS_MAX,
  nextChance,
  NO_FACTS,
} from "@red/engine/chances";
import type { Chances, EarningFacts } from "@red/engine/chances";
import { isSoldOut, weightTable } from "@red/engine/draw";
import type { PoolPrize } from "@red/engine/draw";
import { chanceAnswer, closedGates, explainRows } from "@red/engine/explanation";
import type {
  ChanceAnswer,
  ChanceState,
  GateStates,
  ExplainableRow,
  ExplainedRow,
  Place,
} from "@red/engine/explanation";
import { sql } from "kysely";
import { selectChanceUse, selectDrawnToday, selectEarningFacts } from "./chance-sql.ts";
import type { ChanceUse } from "./chance-sql.ts";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import type { ChanceRound } from "#rounds/activity-sql";
import { selectInForce } from "#players/exclusion-sql";
import type { ExclusionRow } from "#players/exclusion-sql";
import {
  selectNearRows,
  selectOlderRows,
  selectWindowRows,
  selectWindowTotals,
} from "./explanation-rows-sql.ts";
import type { WindowTotals } from "./explanation-rows-sql.ts";
import type { EventRow } from "#events/event-columns";
import type { Player } from "#players/player-sql";
import { selectPlayerDraws, selectPlayerExtras } from "./player-view-sql.ts";
import type { PlayerDraw, PlayerExtra } from "./player-view-sql.ts";

/** The newest row before the window, or else the oldest row after it. */
interface NearestRow {
  readonly side: Exclude<Place, "in_window">;
  readonly row: EventRow;
}

export interface Standing {
  readonly round: ChanceRound;
  readonly chances: Chances;
  readonly earned: number;
  readonly use: ChanceUse;
  readonly facts: EarningFacts;
  readonly gates: readonly DrawGate[];
  /** The longest exclusion in force. */
  readonly exclusion: Pick<ExclusionRow, "kind" | "until"> | null;
  readonly answer: ChanceAnswer;
  readonly nearest: NearestRow | null;
  /** Null if no amount earns a draw: the maximum of the rule is reached, or its window is over. */
  readonly missing_cents: number | null;
}

export type Drawer = Pick<Player, "player_key" | "blocked">;

/** Finds everything that now blocks the draws of the player in the round, except the number of remaining draws. */
async function selectGates(
  db: Db,
  rounds_id: number,
  { blocked, player_key }: Drawer,
): Promise<Pick<Standing, "gates" | "exclusion">> {
  const [exclusion = null] = await selectInForce(db, [player_key]);
  const { rows } = await sql<
    Omit<GateStates, "blocked" | "excluded" | "sold_out"> & { prizes: PoolPrize[] }
  >`
    select
      exists (select from stop_switch s where s.name = 'draws') as draws_stopped,
      exists (select from stop_switch s
        where s.name = 'pool' and s.pool_id = a.pool_id) as pool_stopped,
      a.rounds_status = 0 as paused, statement_timestamp() < a.start_time as not_started,
      statement_timestamp() >= a.end_time + interval '1 second' as ended,
      (select coalesce(json_agg(json_build_object('id', z.id, 'weight', z.weight,
          'floors', z.floors, 'left', z.award_total - z.drawn) order by z.id), '[]')
        from prize z where z.pool_id = a.pool_id and z.deleted_at is null) as prizes
    from activity a where a.id = ${rounds_id}::int`.execute(db);
  const { prizes, ...states } = oneRow(rows);
  const sold_out = isSoldOut(weightTable(prizes));
  return {
    gates: closedGates({ ...states, blocked, excluded: exclusion !== null, sold_out }),
    exclusion,
  };
}

const NO_ROWS = { count: 0, sum_cents: 0n };

function spanOf(round: ChanceRound) {
  return { start: round.achieve_start_time, end: round.achieve_end_time };
}

/** The rows to show if the rule granted nothing. */
type Uncounted = Pick<ChanceState, "cancelled" | "other_platform" | "other_kind"> &
  Pick<Standing, "nearest">;

const NOTHING_UNCOUNTED: Uncounted = {
  cancelled: NO_ROWS,
  other_platform: NO_ROWS,
  other_kind: NO_ROWS,
  nearest: null,
};

async function selectUncounted(db: Db, round: ChanceRound, player_key: number): Promise<Uncounted> {
  const source = countedRule(round)?.source;
  if (source === undefined) {
    return NOTHING_UNCOUNTED;
  }
  const other: EventKind = source === "deposit" ? "bet" : "deposit";
  const span = spanOf(round);
  const platforms = round.platforms ?? [];
  const own = await selectWindowTotals(db, source, span, player_key, platforms);
  const all =
    round.platforms === null ? own : await selectWindowTotals(db, source, span, player_key);
  const others = await selectWindowTotals(db, other, span, player_key);
  const { before, after } = await selectNearRows(db, source, span, player_key, 1, platforms);
  const [nearest = null] = [
    ...before.map((row) => ({ side: "before_window" as const, row })),
    ...after.map((row) => ({ side: "after_window" as const, row })),
  ];
  return {
    cancelled: own.cancelled,
    other_platform: {
      count: all.live.count - own.live.count,
      sum_cents: all.live.sum_cents - own.live.sum_cents,
    },
    other_kind: others.live,
    nearest,
  };
}

/**
 * Returns the remaining draws of the player in a round and the reason for the number. Days are
 * business days in `timeZone`.
 */
export async function selectStanding(
  db: Db,
  round: ChanceRound,
  player: Drawer,
  timeZone: string,
): Promise<Standing> {
  const { player_key } = player;
  const use = await selectChanceUse(db, round.id, round.tag, player_key);
  const facts = (await selectEarningFacts(db, round, [player_key])).get(player_key) ?? NO_FACTS;
  const earned = earnedDraws(round, facts);
  const drawn_today = await selectDrawnToday(db, round, player_key, timeZone);
  const ceiling = ceilingOf(round, { already: use.already, drawn_today });
  const chances = chancesOf({ earned, ...use }, ceiling);
  const isNothingGranted = chances.total === 0 && chances.already === 0;
  const uncounted = isNothingGranted
    ? await selectUncounted(db, round, player_key)
    : NOTHING_UNCOUNTED;
  const near = uncounted.nearest;
  const answer = chanceAnswer({
    rule: round,
    chances,
    facts,
    ...uncounted,
    nearest: near && { side: near.side, amount_cents: near.row.amount_cents },
  });
  return {
    round,
    chances,
    earned,
    use,
    facts,
    ...(await selectGates(db, round.id, player)),
    answer,
    nearest: near,
    missing_cents: round.is_window_over
      ? null
      : (nextChance(round, facts, chances, ceiling)?.missing_cents ?? null),
  };
}

export interface JudgedRow extends ExplainedRow {
  readonly row: EventRow;
}

/** The rows of the kind that the rule counts, newest first. */
export interface JudgedRows {
  readonly rows: readonly JudgedRow[];
  /** Rows in the window that are older than the listed rows. `draws` is the number of draws that they earn. */
  readonly more: { readonly count: number; readonly sum_cents: number; readonly draws: number };
}

const NOTHING_JUDGED: JudgedRows = { rows: [], more: { count: 0, sum_cents: 0, draws: 0 } };

function placed(
  { platforms }: ChanceRound,
  rows: readonly EventRow[],
  place: Place,
): (ExplainableRow & { row: EventRow })[] {
  const named: readonly (number | null)[] | null = platforms;
  return rows.map((row) => ({
    row,
    place,
    amount_cents: row.amount_cents,
    cancelled: row.cancelled_at !== null,
    other_platform: named !== null && !named.includes(row.platform),
  }));
}

async function selectJudgedRows(
  db: Db,
  round: ChanceRound,
  player_key: number,
): Promise<JudgedRows> {
  const counted = countedRule(round);
  if (counted === null) {
    return NOTHING_JUDGED;
  }
  const { source, value_cents } = counted;
  const span = spanOf(round);
  const window = { ...span, value_cents, limit: FACTS_MAX, platforms: round.platforms ?? [] };
  const listed = await selectWindowRows(db, source, span, player_key, EXPLAINED_ROWS_MAX);
  const oldest = listed.at(-1);
  const older =
    oldest === undefined || listed.length < EXPLAINED_ROWS_MAX
      ? { count: 0, facts: NO_FACTS }
      : await selectOlderRows(db, source, window, player_key, oldest);
  const { before, after } = await selectNearRows(db, source, span, player_key);
  const rows = [
    ...placed(round, before.toReversed(), "before_window"),
    ...placed(round, listed.toReversed(), "in_window"),
    ...placed(round, after, "after_window"),
  ];
  const explained = explainRows(round, older.facts, rows);
  const judged = rows.flatMap(({ row }, at) => {
    const one = explained.rows[at];
    return one === undefined ? [] : [{ row, ...one }];
  });
  const draws = earnedDraws(round, older.facts);
  return {
    rows: judged.toReversed(),
    more: { count: older.count, sum_cents: older.facts.sum_cents, draws },
  };
}

/** Rows in the window of the kind that the rule does not count. The newest are listed. */
export interface OtherRows {
  readonly kind: EventKind;
  readonly live: WindowTotals["live"];
  readonly rows: readonly EventRow[];
}

async function selectOtherRows(
  db: Db,
  round: ChanceRound,
  player_key: number,
): Promise<OtherRows[]> {
  const span = spanOf(round);
  const source = countedRule(round)?.source;
  const others: OtherRows[] = [];
  for (const kind of (["deposit", "bet"] as const).filter((one) => one !== source)) {
    const { live } = await selectWindowTotals(db, kind, span, player_key);
    const rows = await selectWindowRows(db, kind, span, player_key, NEAR_ROWS_MAX);
    others.push({ kind, live, rows });
  }
  return others;
}

export interface Explanation extends Standing {
  readonly judged: JudgedRows;
  readonly others: readonly OtherRows[];
  readonly extras: { readonly rows: readonly PlayerExtra[]; readonly total: number };
  readonly draws: readonly PlayerDraw[];
}

export async function selectExplanation(
  db: Db,
  round: ChanceRound,
  player: Drawer,
  timeZone: string,
): Promise<Explanation> {
  const { player_key } = player;
  return {
    ...(await selectStanding(db, round, player, timeZone)),
    judged: await selectJudgedRows(db, round, player_key),
    others: await selectOtherRows(db, round, player_key),
    extras: await selectPlayerExtras(db, player_key, EXPLAINED_USES_MAX),
    draws: await selectPlayerDraws(db, round.id, player_key, EXPLAINED_USES_MAX),
  };
}
