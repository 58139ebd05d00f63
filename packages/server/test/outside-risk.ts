/**
 * Values what a change may cost (behaviour §16) from the rows before and after it. A naive judge that shares no code with the
 * product.
 */
import { grownChances, heldChances } from "#test/outside-risk-chances";
import { costOf, meanCost } from "#test/outside-risk-cost";
import type { Priced } from "#test/outside-risk-cost";
import { DAY_MS, dayOf, total } from "#test/outside-risk-state";
import type { Prize, Round, State } from "#test/outside-risk-state";

const DAYS = 28;
const AHEAD_MIN = 1_000;

/** One side of a change; both sides are valued at the same instant. */
interface Side extends State {
  /** Unused chances of a round's players. */
  readonly heldIn: (round: Round) => number;
  /** Rounds that are neither over nor deleted. */
  readonly counting: readonly Round[];
  readonly used: ReadonlySet<number>;
}

function sideOf(
  state: State,
  now: number,
  heldIn = (round: Round) => heldChances(state, round),
): Side {
  const counting = state.rounds.filter(
    ({ deleted_at, end_time }) => deleted_at === null && now < end_time.getTime() + 1_000,
  );
  return { ...state, heldIn, now, counting, used: new Set(counting.map(({ pool_id }) => pool_id)) };
}

/** Several changes, judged together by the clock of the last. */
export interface Span {
  /** The first moment, its rounds moved to that clock. */
  readonly from: State;
  /** Pools that were in use all the time: they do not count as entering pools. */
  readonly kept: ReadonlySet<number>;
}

/** A round that was extended before its end goes on at its pace. A pool that was left and is used again enters again. */
export function spanOf(states: readonly State[], moved: State): Span {
  const sides = states.map((state) => sideOf(state, state.now));
  const [first, last] = [sides.at(0), sides.at(-1)];
  const isAtBoth = (of: (side: Side) => boolean) =>
    [first, last].every((side) => side !== undefined && of(side));
  const all = [...new Set(moved.rounds.map(({ pool_id }) => pool_id))];
  const kept = new Set(all.filter((pool_id) => sides.every(({ used }) => used.has(pool_id))));
  const rounds = moved.rounds.map((round) => {
    const { id, pool_id, end_time, deleted_at } = round;
    const isKept = isAtBoth(({ counting }) => counting.some((one) => one.id === id));
    const isLeft = isAtBoth(({ used }) => used.has(pool_id)) && !kept.has(pool_id);
    return {
      ...round,
      deleted_at: isLeft ? new Date(0) : deleted_at,
      end_time: new Date(Math.max(Number(end_time), isKept ? moved.now : 0)),
    };
  });
  return { from: { ...moved, rounds }, kept };
}

const piece = ({ goods }: State, cents: number) => (cents === 0 ? goods : cents);
const given = (state: State, of: (round: number) => boolean) =>
  total(
    state.draws
      .filter(({ rounds_id }) => of(rounds_id))
      .map((row) => piece(state, row.award_price_cents)),
  );

function prizesOf(state: State, pool_id: number): (Priced & Pick<Prize, "id">)[] {
  return state.prizes
    .filter((prize) => prize.pool_id === pool_id && prize.deleted_at === null)
    .map(({ id, award_price_cents, weight, award_total, drawn, floors }) => {
      return {
        id,
        price: piece(state, award_price_cents),
        weight,
        left: award_total - drawn,
        floors,
      };
    });
}

const worthOf = (state: State, pool_id: number) =>
  total(prizesOf(state, pool_id).map(({ price, left }) => price * left));

/** How much the prizes of pools that stay in use have grown in worth. */
function grownWorth(before: Side, after: Side, kept?: ReadonlySet<number>): number {
  const isOld = (pool_id: number) => before.used.has(pool_id) || kept?.has(pool_id) === true;
  const stays = [...after.used].filter(isOld);
  return total(
    stays.map((pool_id) => {
      const old = new Map(prizesOf(before, pool_id).map((one) => [one.id, one.price * one.left]));
      return total(
        prizesOf(after, pool_id).map(({ id, price, left }) =>
          Math.max(0, price * left - (old.get(id) ?? 0)),
        ),
      );
    }),
  );
}

/** The largest of the last 28 days. A day is worth what is left in the pools of rounds with their first draw on it, plus what was drawn since. */
function usualDay(state: State): number {
  const [from, today] = [dayOf(state.now - DAYS * DAY_MS), dayOf(state.now)];
  const inTime = state.draws.toSorted((a, b) => a.id - b.id);
  const first = inTime
    .filter(({ rounds_id }, at) => inTime.findIndex((row) => row.rounds_id === rounds_id) === at)
    .map((row) => ({ ...row, day: dayOf(row.created_at.getTime()) }))
    .filter(({ day }) => day >= from && day < today);
  const ofDays = new Map<string, number>();
  const counted = new Set<string>();
  for (const { pool_id, pool_version, created_at, day } of first) {
    if (counted.has(`${day} ${pool_id}`)) {
      continue;
    }
    counted.add(`${day} ${pool_id}`);
    const since = first.filter((row) => row.pool_id === pool_id && row.created_at >= created_at);
    const out = given(state, (id) => since.some(({ rounds_id }) => rounds_id === id));
    const version = state.versions.find(
      (row) => row.pool_id === pool_id && row.version === pool_version,
    );
    const prizes = version?.prizes ?? [];
    const left = prizes.map((one) => {
      const drawn = state.prizes.find(({ id }) => id === one.id)?.drawn ?? one.award_total;
      return piece(state, one.award_price_cents) * Math.max(0, one.award_total - drawn);
    });
    ofDays.set(day, (ofDays.get(day) ?? 0) + total(left) + out);
  }
  return Math.max(0, ...ofDays.values());
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Pools whose rounds or prizes are not the same on both sides. */
function touchedPools(before: Side, after: Side): Set<number> {
  const changed = (one: Side, other: Side) =>
    one.rounds.filter(
      (round) =>
        !same(
          round,
          other.rounds.find(({ id }) => id === round.id),
        ),
    );
  const rounds = [...changed(before, after), ...changed(after, before)];
  const pools = [...before.used, ...after.used].filter(
    (pool_id) => !same(prizesOf(before, pool_id), prizesOf(after, pool_id)),
  );
  return new Set([...rounds.map(({ pool_id }) => pool_id), ...pools]);
}

/** The day of its start, or of its making if that is later. */
const dayOfRound = ({ start_date, created_at }: Round) =>
  [start_date, dayOf(created_at.getTime())].toSorted()[1] ?? start_date;

/**
 * The worth of entering pools beyond a usual day. Drawn prizes count equally on both sides, because a moved round takes its
 * draws along.
 */
function enteringWorth(before: Side, after: Side, kept?: ReadonlySet<number>): number {
  const usual = usualDay(before);
  const days = new Set([...before.rounds, ...after.rounds].map(dayOfRound));
  const firstDay = (id: number) =>
    after.draws
      .filter((row) => row.rounds_id === id)
      .map(({ created_at }) => dayOf(created_at.getTime()))
      .toSorted()[0];
  const out = new Map([...days].map((day) => [day, given(after, (id) => firstDay(id) === day)]));
  const touched = touchedPools(before, after);
  // Growth of a pool that stays is counted in `grownWorth`; what left a pool enters nowhere.
  const worth = (pool_id: number) =>
    before.used.has(pool_id)
      ? worthOf(before, pool_id) - grownWorth({ ...after, used: new Set([pool_id]) }, before)
      : worthOf(after, pool_id);
  const dayWorth = (side: Side, day: string) => {
    const counts = (round: Round) =>
      dayOfRound(round) === day &&
      kept?.has(round.pool_id) !== true &&
      !(
        touched.has(round.pool_id) &&
        side.counting.some((one) => one.pool_id === round.pool_id && dayOfRound(one) < day)
      );
    const pools = new Set(side.counting.filter(counts).map(({ pool_id }) => pool_id));
    return (out.get(day) ?? 0) + total([...pools].map(worth));
  };
  const beyond = (side: Side, day: string) => Math.max(0, dayWorth(side, day) - usual);
  return total([...days].map((day) => Math.max(0, beyond(after, day) - beyond(before, day))));
}

/** The most draws in ten minutes of the last 28 days, for each round with draws. */
function peaksOf(side: Side): Map<number, number> {
  const minuteOf = (ms: number) => Math.floor(ms / 60_000);
  const from = minuteOf(side.now) - DAYS * 1_440;
  const minutes = new Map<number, number[]>();
  for (const { rounds_id, created_at } of side.draws) {
    const minute = minuteOf(created_at.getTime());
    if (minute > from) {
      minutes.set(rounds_id, [...(minutes.get(rounds_id) ?? []), minute]);
    }
  }
  const most = (all: readonly number[]) =>
    Math.max(
      ...[...new Set(all)].map((end) => all.filter((one) => one > end - 10 && one <= end).length),
    );
  return new Map([...minutes].map(([id, all]) => [id, most(all)]));
}

/** The peak of the round; without draws, the peak of its group in `side`. */
function peakOf(side: Side, { id, tag }: Round, peaks: ReadonlyMap<number, number>): number {
  const group = side.rounds.filter((round) => round.tag === tag);
  return peaks.get(id) ?? Math.max(0, ...group.map((round) => peaks.get(round.id) ?? 0));
}

/** Both sides use the same pace: that of the groups before the change. */
function drawsAhead(
  before: Side,
  side: Side,
  round: Round,
  peaks: ReadonlyMap<number, number>,
): number {
  const was = before.rounds.find(({ id }) => id === round.id) ?? round;
  const peak = peakOf(before, was, peaks);
  const from = Math.max(side.now, round.start_time.getTime());
  const seconds = Math.ceil((round.end_time.getTime() + 1_000 - from) / 1_000);
  const held = before.heldIn(was);
  return Math.max(AHEAD_MIN, Math.ceil((peak * Math.max(0, seconds)) / 600), held);
}

/** The draws ahead of these rounds, by pool. */
function aheadOf(before: Side, side: Side, rounds = side.counting): Map<number, number> {
  const peaks = peaksOf(before);
  const ahead = new Map<number, number>();
  for (const round of rounds) {
    const more = drawsAhead(before, side, round, peaks);
    ahead.set(round.pool_id, (ahead.get(round.pool_id) ?? 0) + more);
  }
  return ahead;
}

/** Groups of pools: pools between which rounds moved are in one group. */
function setsOf(before: Side, after: Side): number[][] {
  let sets = [...new Set([...before.used, ...after.used])].map((pool_id) => [pool_id]);
  for (const { id, pool_id: to } of after.counting) {
    const from = before.counting.find((round) => round.id === id)?.pool_id ?? to;
    const joined = sets.filter((set) => set.includes(from) || set.includes(to));
    sets = [...sets.filter((set) => !joined.includes(set)), joined.flat()];
  }
  return sets;
}

/**
 * How much the cost of the draws ahead grows; `larger` is the larger of both costs. An entering pool counts by its worth, so
 * draws of new rounds from it do not count here.
 */
function grownPace(before: Side, after: Side) {
  const [was, is] = [aheadOf(before, before), aheadOf(before, after)];
  const added = after.counting.filter(
    ({ id, pool_id }) =>
      !before.used.has(pool_id) && before.rounds.every((round) => round.id !== id),
  );
  const entered = aheadOf(before, after, added);
  const inputs = (side: Side, ahead: ReadonlyMap<number, number>, pool_id: number) =>
    [ahead.get(pool_id) ?? 0, prizesOf(side, pool_id)] as const;
  const growths = setsOf(before, after)
    .filter((set) =>
      set.some((pool_id) => !same(inputs(before, was, pool_id), inputs(after, is, pool_id))),
    )
    .map((set) => {
      const [old, next] = [
        total(set.map((pool_id) => costOf(...inputs(before, was, pool_id)))),
        total(
          set.map(
            (pool_id) =>
              costOf(...inputs(after, is, pool_id)) - costOf(...inputs(after, entered, pool_id)),
          ),
        ),
      ];
      return { growth: Math.max(0, next - old), larger: Math.max(old, next) };
    });
  const sum = (of: "growth" | "larger") => total(growths.map((one) => one[of]));
  return { growth: sum("growth"), larger: sum("larger") };
}

/** For each round whose rule grants more: the additional draws, and the prizes of its pool. */
function grantedMore(before: Side, after: Side) {
  return after.counting.flatMap((round) => {
    const was = before.rounds.find(({ id }) => id === round.id) ?? null;
    const isNew = before.rounds.every(({ id }) => id !== round.id);
    if (same(was, round) || (isNew && !before.used.has(round.pool_id))) {
      return [];
    }
    const prizes = prizesOf(after, round.pool_id);
    const draws = grownChances(before, was, after, round);
    return [{ draws, prizes, worth: worthOf(after, round.pool_id) }];
  });
}

/** Whole cents, except `pace`. `slack` is the allowed difference between the product's pace and `pace`. */
export interface Valued {
  readonly worth: number;
  readonly entering: number;
  readonly pace: number;
  readonly chances: number;
  /** As `chances`, but limited by stock. */
  readonly granted: number;
  readonly slack: number;
}

/** Values a change, or a span of changes. In a span, unused chances are those of the start or the end, whichever are fewer. */
export function valueFromOutside(before: State, after: State, span?: Span): Valued {
  const { used } = sideOf(before, after.now);
  const isUsed = (pool_id: number) => used.has(pool_id) || span?.kept.has(pool_id) === true;
  // A round that moves to a used pool within a day after it was made counts as new.
  const isAsNew = ({ id, pool_id, created_at }: Round) =>
    after.now - Number(created_at) < DAY_MS &&
    after.rounds.some((one) => one.id === id && one.pool_id !== pool_id && isUsed(one.pool_id));
  const old = { ...before, rounds: before.rounds.filter((round) => !isAsNew(round)) };
  const heldAfter = ({ id }: Round) =>
    after.rounds.filter((one) => one.id === id).map((one) => heldChances(after, one));
  const is = sideOf(after, after.now);
  const was = sideOf(old, after.now, (round) =>
    Math.min(heldChances(before, round), ...(span ? heldAfter(round) : [])),
  );
  const { growth, larger } = grownPace(was, is);
  const more = grantedMore(was, is);
  return {
    worth: grownWorth(was, is, span?.kept),
    entering: enteringWorth(was, is, span?.kept),
    pace: growth,
    chances: total(more.map((one) => Math.min(meanCost(one.draws, one.prizes), one.worth))),
    granted: total(more.map(({ draws, prizes }) => costOf(draws, prizes))),
    slack: Math.max(1, 0.003 * larger),
  };
}

/** The cost of `count` extra times of a group. */
export function grantFromOutside(state: State, tag: string, count: number): number {
  const pools = sideOf(state, state.now).counting.filter((round) => round.tag === tag);
  return Math.max(0, ...pools.map(({ pool_id }) => meanCost(count, prizesOf(state, pool_id))));
}
