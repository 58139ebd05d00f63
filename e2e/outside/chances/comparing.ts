/** Compares the server's answers with this run's own calculation, and counts the boundary cases. */
import {
  earnedBy,
  judgedAmounts,
  limited,
  missingFor,
  sourceOf,
  valueOf,
} from "../expected-chances.ts";
import { dig } from "../json.ts";
import type { Operator } from "../operator.ts";
import { inFlight } from "../platform.ts";
import type { Platform } from "../platform.ts";
import { playerId, userName } from "./feeding.ts";
import type { FatedRow } from "./people.ts";
import { EXTRA_TAG } from "./scene.ts";
import type { Scene } from "./scene.ts";

const LANES = 8;

/** State at the time of a comparison. */
export interface State {
  /** Rows fed and not taken back, by player. */
  readonly counting: ReadonlyMap<number, readonly FatedRow[]>;
  /** Number of extra times, by player. */
  readonly extras: ReadonlyMap<number, number>;
  /** Number of draws of each player, by round. */
  readonly drawn: ReadonlyMap<string, number>;
  /** Draws of each player in all rounds. */
  readonly today: ReadonlyMap<number, number>;
}

type SceneRound = Scene["rounds"][number];

export function drawnKey(rounds_id: number, player: number): string {
  return `${rounds_id} ${player}`;
}

const BOUNDARIES = [
  "value met to the cent",
  "value missed by one cent",
  "row in the window's first second",
  "row in the window's last second",
  "row one second after the end",
  "row in the second before the start",
] as const;
type Boundary = (typeof BOUNDARIES)[number];

export interface Comparison {
  readonly comparisons: number;
  readonly differences: readonly unknown[];
  readonly onBoundary: number;
  readonly boundaries: Readonly<Record<Boundary, number>>;
  /** Comparisons in which something was earned. */
  readonly earning: number;
  /** Comparisons in which a limit keeps draws back. */
  readonly held: number;
}

function boundariesOf(round: SceneRound, all: readonly FatedRow[]): Boundary[] {
  const { preset, window } = round;
  const source = sourceOf(preset);
  if (source === null) {
    return [];
  }
  const rows = all.filter(({ kind }) => kind === source);
  const { from, until } = window;
  const within = (start: number, end: number) => rows.some(({ at }) => at >= start && at < end);
  const value = valueOf(preset);
  const judged = judgedAmounts(preset, countingIn(round, all)).filter((amount) => amount > 0n);
  const found: Readonly<Record<Boundary, boolean>> = {
    "value met to the cent": judged.some((amount) => amount % value === 0n),
    "value missed by one cent": judged.some((amount) => amount % value === value - 1n),
    "row in the window's first second": within(from, from + 1_000),
    "row in the window's last second": within(until - 1_000, until),
    "row one second after the end": within(until, until + 1_000),
    "row in the second before the start": within(from - 1_000, from),
  };
  return BOUNDARIES.filter((boundary) => found[boundary]);
}

function countingIn({ preset, window, limits }: SceneRound, rows: readonly FatedRow[]) {
  const source = sourceOf(preset);
  return rows.filter(
    ({ kind, at, platform }) =>
      kind === source &&
      at >= window.from &&
      at < window.until &&
      (limits.platforms === undefined || limits.platforms.includes(platform)),
  );
}

function expectedOf(round: SceneRound, player: number, state: State) {
  const rows = countingIn(round, state.counting.get(player) ?? []);
  const earned = earnedBy(round.preset, rows);
  const extras = round.tag === EXTRA_TAG ? (state.extras.get(player) ?? 0) : 0;
  const already = state.drawn.get(drawnKey(round.id, player)) ?? 0;
  const today = state.today.get(player) ?? 0;
  const { total, most, by } = limited(round.limits, earned + extras, { here: already, today });
  const remain = Math.max(0, total - already);
  // When no more rows can count, or a limit allows no more, nothing is missing.
  const isOver = round.window.until <= Date.now() || Math.max(total, already) >= most;
  const next = isOver ? null : missingFor(round.preset, rows, Math.max(0, already - total));
  return { chances: { total, already, remain, limited_by: by }, next, earned };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Compares `lottimes` and the platform's chances of these players in every round. */
export async function compare(
  { operator, platform }: { readonly operator: Operator; readonly platform: Platform },
  scene: Scene,
  players: readonly number[],
  state: State,
): Promise<Comparison> {
  const differences: unknown[] = [];
  const boundaries = Object.fromEntries(BOUNDARIES.map((boundary) => [boundary, 0]));
  let [comparisons, onBoundary, earning, held] = [0, 0, 0, 0];
  await inFlight(players, LANES, async (player) => {
    for (const round of scene.rounds) {
      const { chances, next, earned } = expectedOf(round, player, state);
      const named = { start_date: round.date, rounds_name: round.name };
      const query = player % 2 === 0 ? named : { rounds_id: round.id };
      const asked = { ...query, user_name: userName(player) };
      const said = await operator.data("POST", "/gred/api/userInfo/lottimes", asked);
      const path = `/open/v1/rounds/${round.id}/chances?player_id=${playerId(player)}`;
      const { body } = await platform.call("GET", path, null);
      const open = {
        total: dig(body, "total"),
        already: dig(body, "already"),
        remain: dig(body, "remain"),
        limited_by: dig(body, "limited_by"),
      };
      comparisons += 2;
      if (!isSame(said, chances)) {
        differences.push({ player, round: round.name, expected: chances, lottimes: said });
      }
      if (!isSame(open, chances) || !isSame(dig(body, "next"), next)) {
        differences.push({ player, round: round.name, expected: { ...chances, next }, open: body });
      }
      const hit = boundariesOf(round, state.counting.get(player) ?? []);
      for (const boundary of hit) {
        boundaries[boundary] = (boundaries[boundary] ?? 0) + 2;
      }
      onBoundary += hit.length > 0 ? 2 : 0;
      earning += earned > 0 ? 2 : 0;
      held += chances.limited_by === null ? 0 : 2;
    }
  });
  // Built above from every name.
  const counted = boundaries as Record<Boundary, number>;
  return { comparisons, differences, onBoundary, boundaries: counted, earning, held };
}
