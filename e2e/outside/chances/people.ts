/** Random players with deposits and bets, half of them aimed at a boundary of a value or of a window. */
import { PRESETS, sourceOf, valueOf } from "../expected-chances.ts";
import type { Preset, Row } from "../expected-chances.ts";
import { conditionOf } from "../expected-chances.ts";
import type { Window } from "../context.ts";
import { decimal } from "../money.ts";

export type Kind = "deposit" | "bet";

/**
 * What happens to a row. `late` ones come after the first comparison. `taken_back` are reversed or voided.
 * `asked_early`: the reversal comes before its row, finds nothing and takes nothing back.
 */
export type Fate = "kept" | "taken_back" | "late" | "late_taken_back" | "asked_early";

export interface FatedRow extends Row {
  readonly kind: Kind;
  readonly fate: Fate;
  /** Where a bet was made. */
  readonly platform: number;
}

const PLATFORMS = [1234, 2234, 3234, 5234, 6234, 7234];

/** Draws from one seeded stream of random numbers. */
interface Dice {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

export function diceOf(next: () => number): Dice {
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) {
        throw new Error("nothing to pick from");
      }
      return item;
    },
  };
}

/** Where rows lie: the condition windows, and the latest instant of any row. */
interface Times {
  readonly windows: readonly Window[];
  readonly now: number;
}

/** Instants that count: the window's first and last second, and some in between. */
function insideOf({ from, until }: Window, now: number, dice: Dice): number {
  const instants = [
    from,
    from + dice.below(1_000),
    until - 1_000,
    until - 1,
    until - 1 - dice.below(1_000),
    from + dice.below(Math.min(until, now) - from),
  ];
  return dice.pick(instants.filter((at) => at < now));
}

/** Instants that do not count: the seconds next to the window. */
function outsideOf({ from, until }: Window, now: number, dice: Dice): number {
  const instants = [from - 1, from - 1_000, until, until + 999, until + dice.below(1_000)];
  return dice.pick(instants.filter((at) => at < now));
}

/** Splits a sum into parts of at least one cent. */
function partsOf(sum: bigint, dice: Dice): bigint[] {
  const parts: bigint[] = [];
  let left = sum;
  for (let wanted = dice.below(4); wanted > 0 && left > 1n; wanted -= 1) {
    const part = 1n + BigInt(dice.below(Number(left - 1n)));
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

const FATES: readonly Fate[] = [
  "kept",
  "kept",
  "kept",
  "kept",
  "late",
  "late",
  "taken_back",
  "late_taken_back",
  "asked_early",
];

/** Fates after which a row counts. */
const STAYING: readonly Fate[] = ["kept", "kept", "late", "asked_early"];
const GOING: readonly Fate[] = ["taken_back", "late_taken_back"];

interface Wish {
  readonly kind: Kind;
  readonly amount: bigint;
  readonly at: number;
  readonly fate: Fate;
}

/** Rows that meet a preset's value to the cent, or miss it by one cent, with others that must not count. */
function aimed({ windows, now }: Times, dice: Dice): Wish[] {
  const preset: Preset = dice.pick(PRESETS.filter((one) => sourceOf(one) !== null));
  const kind = sourceOf(preset) ?? "deposit";
  const window = dice.pick(windows);
  const sum = valueOf(preset) * BigInt(1 + dice.below(3)) + BigInt(dice.pick([-1, 0, 0, 1]));
  const isCumulative = conditionOf(preset).condition_formula === "1";
  const counting = (isCumulative ? partsOf(sum, dice) : [sum]).map((amount) => ({
    kind,
    amount,
    at: insideOf(window, now, dice),
    fate: dice.pick(STAYING),
  }));
  const besides: Wish[] = [];
  if (dice.chance(0.5)) {
    besides.push({ kind, amount: sum, at: outsideOf(window, now, dice), fate: dice.pick(STAYING) });
  }
  if (dice.chance(0.5)) {
    besides.push({ kind, amount: sum, at: insideOf(window, now, dice), fate: dice.pick(GOING) });
  }
  return [...counting, ...besides];
}

function scattered({ windows, now }: Times, dice: Dice): Wish[] {
  const first = Math.min(...windows.map(({ from }) => from)) - 7_200_000;
  const last = Math.min(Math.max(...windows.map(({ until }) => until)) + 7_200_000, now);
  return Array.from({ length: dice.below(8) }, () => ({
    kind: dice.pick<Kind>(["deposit", "bet"]),
    amount: dice.chance(0.5) ? BigInt(1 + dice.below(30_000)) : 2_500n * BigInt(1 + dice.below(20)),
    at: dice.chance(0.3)
      ? insideOf(dice.pick(windows), now, dice)
      : first + dice.below(last - first),
    fate: dice.pick(FATES),
  }));
}

export function makePeople(count: number, times: Times, dice: Dice): FatedRow[] {
  let number = 0;
  return Array.from({ length: count }, (_, player) =>
    (dice.chance(0.5) ? aimed(times, dice) : scattered(times, dice)).map((wish) => {
      number += 1;
      const platform = PLATFORMS[number % PLATFORMS.length] ?? 0;
      return { ...wish, number: `n-${number}`, player, platform, amount: decimal(wish.amount) };
    }),
  ).flat();
}

/** Rows are not fed in order of time. */
export function shuffled<T>(items: readonly T[], dice: Dice): T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = dice.below(at + 1);
    const [one, two] = [mixed[at], mixed[other]];
    if (one !== undefined && two !== undefined) {
      mixed[at] = two;
      mixed[other] = one;
    }
  }
  return mixed;
}
