/** Computes the cost of draws from a pool by the probability of each possible stock after each draw (behaviour §5). */
import { total } from "#test/outside-risk-state";

export interface Priced {
  readonly id: number;
  readonly price: number;
  readonly weight: number;
  readonly left: number;
  readonly floors: boolean;
}

/** Probability of each prize in the next draw; all 0 when sold out. `prizes` are in id order. */
function chancesOf(prizes: readonly Priced[], left: readonly number[]): number[] {
  const all = total(prizes.map(({ weight }) => weight));
  const alive = prizes.map(({ weight }, at) => ((left[at] ?? 0) > 0 ? weight : 0));
  const rest = total(alive);
  let helper = -1;
  for (const [at, { floors, weight }] of prizes.entries()) {
    if (floors && (left[at] ?? 0) > 0 && weight > (prizes[helper]?.weight ?? -1)) {
      helper = at;
    }
  }
  if (helper < 0) {
    return alive.map((weight) => (rest === 0 ? 0 : weight / rest));
  }
  const lost = all === 0 ? 1 : all - rest;
  return alive.map((weight, at) => (weight + (at === helper ? lost : 0)) / (all || 1));
}

/** `draws` times the mean cost of the next draw, in whole cents. */
export function meanCost(draws: number, prizes: readonly Priced[]): number {
  const chances = chancesOf(
    prizes,
    prizes.map(({ left }) => left),
  );
  return Math.round(draws * total(prizes.map(({ price }, at) => price * (chances[at] ?? 0))));
}

interface Step {
  readonly to: number;
  readonly chance: number;
}

/** For each stock: mean cost of a draw, probability that it stays the same, and the possible next stocks. */
function stepsOf(draws: number, prizes: readonly Priced[]) {
  const sizes = prizes.map(({ left }) => (left >= draws ? 1 : left + 1));
  const places = sizes.map((_, at) => sizes.slice(0, at).reduce((all, size) => all * size, 1));
  const states = sizes.reduce((all, size) => all * size, 1);
  return Array.from({ length: states }, (_, state) => {
    const left = places.map((place, at) =>
      sizes[at] === 1 ? (prizes[at]?.left ?? 0) : Math.floor(state / place) % (sizes[at] ?? 1),
    );
    const chances = chancesOf(prizes, left);
    const isPlenty = (at: number) => sizes[at] === 1;
    const steps: Step[] = chances.flatMap((chance, at) =>
      chance > 0 && !isPlenty(at) ? [{ to: state - (places[at] ?? 0), chance }] : [],
    );
    const cost = total(chances.map((chance, at) => chance * (prizes[at]?.price ?? 0)));
    const stays = total(chances.filter((_chance, at) => isPlenty(at)));
    return { cost, stays: total(chances) === 0 ? 1 : stays, steps };
  });
}

const known = new Map<string, number>();

/** Expected cost of the next `draws`, cents. */
export function costOf(draws: number, prizes: readonly Priced[]): number {
  const key = JSON.stringify([draws, prizes]);
  const before = known.get(key);
  if (before !== undefined) {
    return before;
  }
  const rows = stepsOf(draws, prizes);
  const held = new Float64Array(rows.length).fill(1, -1);
  let sum = 0;
  let moving = 1;
  // Once the stock cannot change any more, all further draws cost the same.
  let draw = 0;
  for (; draw < draws && moving > 1e-12; draw += 1) {
    moving = 0;
    for (const [state, { cost, stays, steps }] of rows.entries()) {
      const share = held[state] ?? 0;
      if (share > 1e-15) {
        sum += share * cost;
        held[state] = share * stays;
        for (const { to, chance } of steps) {
          held[to] = (held[to] ?? 0) + share * chance;
          moving += share * chance;
        }
        moving += steps.length > 0 ? share * stays : 0;
      }
    }
  }
  sum += (draws - draw) * total(rows.map(({ cost }, state) => cost * (held[state] ?? 0)));
  known.set(key, sum);
  return sum;
}
