/** Rounds for the proof of chances: each preset once in each of five condition windows, four of them with limits. */
import { PRESETS, sourceOf } from "../expected-chances.ts";
import type { Limits } from "../expected-chances.ts";
import { shown, windowFrom } from "../context.ts";
import type { Round, Window } from "../context.ts";
import type { Operator } from "../operator.ts";
import { makePool, makeRound } from "../setup.ts";

const DAY_MS = 86_400_000;

export interface Scene {
  readonly windows: readonly Window[];
  /** The latest instant of any row. */
  readonly now: number;
  readonly rounds: readonly (Round & { readonly window: Window; readonly limits: Limits })[];
}

export const EXTRA_TAG = "dragon";

/** Conditions of the rounds of each window; platforms belong to bets. */
const LIMITS: readonly Limits[] = [
  {},
  { draws_max: 2 },
  { platforms: [1234, 3234] },
  { draws_max: 3, platforms: [2234, 5234, 7234] },
  { draws_max: 9, day_draws_max: 4, platforms: [6234] },
];

/** Overlapping, so that a row counts in some of them only. */
function windowsOf(now: number): Window[] {
  const day = shown(now - DAY_MS).slice(0, 10);
  const before = shown(now - 2 * DAY_MS).slice(0, 10);
  return [
    windowFrom(`${day} 08:00:00`, `${day} 20:00:00`),
    windowFrom(`${day} 12:00:00`, `${day} 12:00:00`),
    windowFrom(`${before} 18:00:00`, `${day} 09:59:59`),
    windowFrom(`${day} 00:00:00`, `${day} 23:59:59`),
    // Still open: only here the next chance can still be earned.
    windowFrom(`${day} 00:00:00`, `${shown(now + DAY_MS).slice(0, 10)} 23:59:59`),
  ];
}

/** The window of one second belongs to the group of the extra times. */
export async function setScene(operator: Operator, now: number): Promise<Scene> {
  const pool_name = "机会池";
  const prize = { award_price: "0.88", weight: 1, award_total: 1_000_000, floors: 1 } as const;
  await makePool(operator, pool_name, [{ award_name: "0.88元红包", ...prize }]);
  const windows = windowsOf(now);
  const rounds: Scene["rounds"][number][] = [];
  for (const [at, window] of windows.entries()) {
    for (const preset of PRESETS) {
      const tag = at === 1 ? EXTRA_TAG : "weekend";
      const name = `${preset.name} ${at + 1}`;
      const { platforms, ...draws } = LIMITS[at] ?? {};
      const limits = { ...draws, ...(sourceOf(preset) === "bet" && platforms && { platforms }) };
      rounds.push({
        ...(await makeRound(operator, window, { name, tag, pool_name, preset, limits })),
        window,
        limits,
      });
    }
  }
  return { windows, rounds, now };
}
