/** What the page of a platform shows its player (platform-api; behaviour §4, §5, §6). */
import { formatDateTime, formatRfc3339 } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import { PLAYER_STATE_OF, STATUS_OF_STATE } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import type { PagePrize, playerPageRoutes, StockShown } from "@red/contract/draws/player-page";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { probabilityTexts, stockWord } from "@red/engine/odds";
import { standingText } from "@red/engine/standing-text";
import { selectPageDraws, selectPagePrizes } from "./player-page-sql.ts";
import type { PageDrawRow, PagePrizeRow } from "./player-page-sql.ts";
import { drawAnswerOf } from "./draw-routes.ts";
import { inOneView } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import type { ChanceReader } from "#chances/chance-reader";
import { ruleOf, toExplanation, toStanding } from "#chances/explanation";
import type { TimeText } from "#chances/explanation";
import { selectExplanation } from "#chances/explanation-sql";
import type { Explanation } from "#chances/explanation-sql";
import { toRoundChances } from "#chances/open-rounds";
import { selectPlayerById } from "#players/player-sql";
import type { Player } from "#players/player-sql";
import { selectRound } from "#rounds/activity-sql";

/** Maximum time in seconds that a polling page may show the same prizes. */
const PRIZES_AGE_SECONDS = 5;

function stockOf({ left, award_total }: PagePrizeRow, shown: StockShown, language: Language) {
  switch (shown) {
    case "exact":
      return { remaining: left };
    case "words": {
      const stock = stockWord(left, award_total);
      return { stock, stock_text: text(`stock_${stock}`, language) };
    }
    case "none":
      return {};
    default:
      return shown satisfies never;
  }
}

function toPagePrizes(
  rows: readonly PagePrizeRow[],
  shown: StockShown,
  language: Language,
): PagePrize[] {
  const probabilities = probabilityTexts(rows);
  return rows.map((row, at) => ({
    prize_id: row.id,
    award_name: row.award_name,
    award_price: formatCents(row.award_price_cents),
    type: row.award_price_cents === 0 ? "physical" : "virtual",
    probability: probabilities[at] ?? "0",
    ...stockOf(row, shown, language),
  }));
}

function toPageDraw(row: PageDrawRow, timeZone: string, language: Language) {
  const { request_id, rounds_name } = row;
  const payout_state = PLAYER_STATE_OF[row.payout_state];
  return {
    ...drawAnswerOf(row, timeZone),
    request_id,
    rounds_name,
    award_status: STATUS_OF_STATE[row.payout_state],
    payout_state,
    payout_text: text(`player_state_${payout_state}`, language),
  };
}

/** Uses the sentences of the console, with times in the format for operators. */
function toPageExplanation(
  explained: Explanation & Pick<Player, "blocked_at">,
  timeZone: string,
  language: Language,
) {
  const shown: TimeText = (instant) => formatDateTime(instant, timeZone);
  const standing = toStanding(explained, shown);
  const since = explained.blocked_at === null ? null : shown(explained.blocked_at);
  const textIn = (one: Language) => standingText(standing, since, one);
  const ruleIn = (one: Language) => ruleOf(explained.round, shown, one);
  const given = toExplanation(explained, (instant) => formatRfc3339(instant, timeZone), language);
  return {
    ...given,
    extras: given.extras.map((extra) => ({
      ...extra,
      taken_back: extra.taken_back && { at: extra.taken_back.at },
    })),
    text: { zh: textIn("zh"), en: textIn("en") },
    rule_text: { zh: ruleIn("zh"), en: ruleIn("en") },
  };
}

async function playerOf(db: Db, player_id: string): Promise<Player> {
  return found(await selectPlayerById(db, player_id), "player_not_found");
}

export const playerPageHandlers = (reader: ChanceReader): Handlers<typeof playerPageRoutes> => ({
  prizes: async ({ db, params, services, language, reply }) => {
    const rows = found(await selectPagePrizes(db, params.rounds_id), "round_not_found");
    void reply.header("cache-control", `private, max-age=${PRIZES_AGE_SECONDS}`);
    void reply.header("vary", "accept-language");
    return { data: { prizes: toPagePrizes(rows, services.settings.prizeStockShown, language) } };
  },

  chances: async ({ db, query }) => {
    const { player_id, rounds_ids } = query;
    // Checks the player first, because a round that does not exist gives no error for an unknown player.
    await playerOf(db, player_id);
    const chances = await Promise.all(
      rounds_ids.map(async (rounds_id) => {
        const answer = await reader.read(rounds_id, player_id);
        if (answer === "player_not_found") {
          throw new AppError(answer);
        }
        return answer === "round_not_found"
          ? { rounds_id, code: answer }
          : { rounds_id, ...toRoundChances(answer) };
      }),
    );
    return { data: { chances } };
  },

  explanation: async ({ db, params, query, services, language }) => {
    const { timeZone } = services.settings;
    const explained = await inOneView(db, async (view) => {
      const round = found(await selectRound(view, params.rounds_id), "round_not_found");
      const { blocked_at, ...player } = await playerOf(view, query.player_id);
      return { ...(await selectExplanation(view, round, player, timeZone)), blocked_at };
    });
    return { data: toPageExplanation(explained, timeZone, language) };
  },

  draws: async ({ db, actor, params, query, services, language }) => {
    const { player_key } = await playerOf(db, params.player_id);
    const { limit } = query;
    // Reads one more row to know whether there is a next page.
    const wanted = { ...query, limit: limit + 1 };
    const rows = await selectPageDraws(db, player_key, actor.name, wanted);
    const page = rows.slice(0, limit);
    const { timeZone } = services.settings;
    return {
      data: {
        draws: page.map((row) => toPageDraw(row, timeZone, language)),
        next: rows.length > limit ? (page.at(-1)?.log_id ?? null) : null,
      },
    };
  },
});
