/** Counts row by row what a round grants its players (behaviour §4). */
import { DAY_MS, total } from "#test/outside-risk-state";
import type { Player, Round, State } from "#test/outside-risk-state";

/** A look back: by how many days, for windows whose last one ends at `last`. */
interface Back {
  readonly daysBack: number;
  readonly last: number;
}

const countsRows = ({ condition_name: name }: Round) => name === "1" || name === "2";
const endOf = (round: Round) => (countsRows(round) ? round.achieve_end_time.getTime() : 0);

/** Draws earned by the rows in the window, moved back by so many days. */
function earned(
  state: State,
  round: Round,
  { player_key }: Player,
  { daysBack, last }: Back,
): number {
  const { condition_name, condition_formula, condition_type, condition_times: times } = round;
  if (condition_name === "0" || condition_name === "3") {
    return condition_name === "0" ? times : 0;
  }
  const kind = condition_name === "2" ? "deposit" : "bet";
  // Go back to the last days on which such a window was over.
  let back = daysBack === 0 ? 0 : 1;
  while (daysBack > 0 && last + 1_000 - back * DAY_MS > state.now) {
    back += 1;
  }
  const shift = (back + Math.max(0, daysBack - 1)) * DAY_MS;
  const from = round.achieve_start_time.getTime() - shift;
  const to = round.achieve_end_time.getTime() + 1_000 - shift;
  const cents = state.earnings
    .filter((row) => row.kind === kind && row.player_key === player_key)
    .filter(({ at }) => at >= from && at < to)
    .filter(({ platform }) => round.platforms?.some((one) => one === platform) ?? true)
    .map((row) => row.cents);
  const value = round.condition_value_cents;
  const looked = condition_formula === "1" ? [total(cents)] : cents;
  const met = total(looked.map((one) => Math.floor(one / value)));
  return (condition_type === "2" ? met : Math.min(met, 1)) * times;
}

const drawsOf = (state: State, round: Round, { player_key }: Player) =>
  state.draws.filter((row) => row.rounds_id === round.id && row.player_key === player_key).length;

/**
 * Draws granted to the player, including `used` extra times and `already` made draws. A daily limit allows its full number
 * again, whatever was drawn today.
 */
function granted(
  state: State,
  round: Round,
  player: Player,
  { daysBack = 0, last = endOf(round), already = 0, used = 0 },
): number {
  // An excluded player can draw after the exclusion, so only blocked players count as 0.
  if (player.blocked) {
    return 0;
  }
  const extras = state.extras.filter(
    ({ player_key, used_log_id, tag, expire_time }) =>
      player_key === player.player_key &&
      used_log_id === null &&
      tag === round.tag &&
      expire_time.getTime() > state.now - 1_000,
  ).length;
  const { draws_max, day_draws_max } = round;
  const most = [
    ...(draws_max === null ? [] : [draws_max]),
    ...(day_draws_max === null ? [] : [already + day_draws_max]),
  ];
  return Math.min(earned(state, round, player, { daysBack, last }) + extras + used, ...most);
}

const WINDOWS = [0, 1, 2, 3, 4, 5, 6, 7];

const known = new WeakMap<Round, number>();

/** Unused chances of all players: the most by the rows of today or of one of the last seven days. */
export function heldChances(state: State, round: Round): number {
  const before = known.get(round);
  if (before !== undefined) {
    return before;
  }
  const players = state.players.map((player) => {
    const used = state.extras.filter(
      (row) =>
        row.player_key === player.player_key &&
        row.used_log_id !== null &&
        row.used_rounds_id === round.id,
    ).length;
    return { player, already: drawsOf(state, round, player), used };
  });
  const held = WINDOWS.map((daysBack) =>
    total(
      players.map(({ player, already, used }) =>
        Math.max(0, granted(state, round, player, { daysBack, already, used }) - already),
      ),
    ),
  );
  known.set(round, Math.max(...held));
  return Math.max(...held);
}

/** How many draws more are granted after than before: the most by the rows of today or of one of the last seven days. */
export function grownChances(before: State, was: Round | null, after: State, is: Round): number {
  const last = Math.max(endOf(is), was === null ? 0 : endOf(was));
  const growths = WINDOWS.map((daysBack) =>
    total(
      after.players.map((player) => {
        const old = was === null ? 0 : granted(before, was, player, { daysBack, last });
        return Math.max(0, granted(after, is, player, { daysBack, last }) - old);
      }),
    ),
  );
  return Math.max(...growths);
}
