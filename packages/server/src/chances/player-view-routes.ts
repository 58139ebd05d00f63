/** The support view of one player (behaviour §4, §6). */
import { formatDateTime, parseDateTime } from "@red/contract/platform/datetime";
import { AppError } from "@red/contract/platform/errors";
import { AWARD_STATUS, PAYOUT_STATES, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { REASONS_MAX } from "@red/contract/chances/player-view";
import type { PayoutSum, playerViewRoutes } from "@red/contract/chances/player-view";
import { byInvolvement } from "@red/engine/explanation";
import { lookBack } from "./as-of-sql.ts";
import { inOneView } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { toExclusion } from "#players/exclusion-routes";
import { selectInForce } from "#players/exclusion-sql";
import { selectExplanation, selectStanding } from "./explanation-sql.ts";
import { selectLeftTimes } from "#players/extra-time-sql";
import { requirePlayer, selectPlayerByName } from "#players/player-sql";
import { selectStopsOf } from "#stops/stop-switch-sql";
import { selectPlayerPayouts } from "./player-view-sql.ts";
import type { PlayerPayouts } from "./player-view-sql.ts";
import { asKnown, toExplanation, toStanding } from "./explanation.ts";
import type { Handlers } from "#platform/handlers";
import { accountRef, playersNamed } from "#platform/player-names";
import { selectPresentRounds, selectRound } from "#rounds/activity-sql";

/** Maximum number of rounds in the header of a player; the newest are shown. */
const ROUNDS_MAX = 10;

function totalOf(payouts: readonly PlayerPayouts[]): { count: number; amount: string } {
  return {
    count: payouts.reduce((sum, { count }) => sum + count, 0),
    amount: formatCents(payouts.reduce((sum, { sum_cents }) => sum + sum_cents, 0n)),
  };
}

function toPayoutSum(
  payout_state: PayoutState,
  payouts: readonly PlayerPayouts[],
  timeZone: string,
): PayoutSum {
  const [since] = payouts
    .flatMap((payout) => payout.since ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const hasReasons = STATUS_OF_STATE[payout_state] === AWARD_STATUS.failed;
  const reasons = hasReasons ? payouts : [];
  return {
    payout_state,
    ...totalOf(payouts),
    since: since === undefined ? null : formatDateTime(since, timeZone),
    reasons: reasons
      .slice(0, REASONS_MAX)
      .map((payout) => ({ reason: payout.reason, ...totalOf([payout]) })),
    other_reasons: totalOf(reasons.slice(REASONS_MAX)),
  };
}

async function headOf(db: Db, user_name: string, timeZone: string) {
  const player = await requirePlayer(db, user_name);
  const payouts = await selectPlayerPayouts(db, player.player_key);
  const present = await selectPresentRounds(db, ROUNDS_MAX);
  const standings = [];
  for (const round of present.rounds) {
    standings.push(await selectStanding(db, round, player, timeZone));
  }
  const timeText = (instant: Date) => formatDateTime(instant, timeZone);
  const rounds = byInvolvement(standings, ({ round, chances, answer, gates }) => ({
    rule: round,
    chances,
    reason: answer.reason,
    paused: gates.includes("paused"),
  })).map((standing) => ({ ...toStanding(standing, timeText), is_current: present.are_current }));
  const [stopped] = await selectStopsOf(db, [{ name: "payouts", pool_id: null }]);
  const { blocked_at } = player;
  return {
    player_id: player.player_id,
    user_name: player.user_name,
    blocked: player.blocked,
    erased: player.erased_at !== null,
    exclusions: (await selectInForce(db, [player.player_key])).map((row) =>
      toExclusion(row, timeZone),
    ),
    blocked_since: blocked_at === null ? null : formatDateTime(blocked_at, timeZone),
    draws: payouts.reduce((sum, { count }) => sum + count, 0),
    left_times: await selectLeftTimes(db, player.player_key),
    payouts: PAYOUT_STATES.flatMap((state) => {
      const inState = payouts.filter((payout) => payout.state === state);
      return inState.length === 0 ? [] : toPayoutSum(state, inState, timeZone);
    }),
    payouts_stopped_since:
      stopped === undefined ? null : formatDateTime(stopped.stopped_at, timeZone),
    rounds,
  };
}

export const playerViewHandlers: Handlers<typeof playerViewRoutes> = {
  async head({ db, query, services }) {
    const { timeZone } = services.settings;
    return { data: await inOneView(db, (view) => headOf(view, query.user_name, timeZone)) };
  },

  async explain({ db, body, services, language }) {
    const { timeZone } = services.settings;
    const timeText = (instant: Date) => formatDateTime(instant, timeZone);
    const second = body.as_of === undefined ? null : parseDateTime(body.as_of, timeZone);
    const found = await inOneView(db, async (view) => {
      await (second && lookBack(view, new Date(second.getTime() + 999)));
      const round = await selectRound(view, body.rounds_id);
      if (round === null) {
        throw new AppError(second === null ? "activity_not_found" : "as_of_before_round");
      }
      const player = await selectPlayerByName(view, body.user_name);
      if (player === null) {
        throw new AppError(second === null ? "player_unknown" : "as_of_before_player");
      }
      return await selectExplanation(view, round, player, timeZone);
    });
    const explanation = toExplanation(found, timeText, language);
    return { data: second === null ? explanation : asKnown(explanation, timeText(second)) };
  },

  async named({ db, body, operator }) {
    const byAccount = operator?.permissions.includes("account.see") !== true;
    const players = await playersNamed(db, body.text, byAccount);
    // mount.ts replaces the references by accounts.
    return { data: { user_names: players.map(accountRef) } };
  },
};
