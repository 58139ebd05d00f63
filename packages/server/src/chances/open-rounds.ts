/** Open rounds and remaining draws, which the platform may show its players (platform-api). */
import { formatDateTime, formatRfc3339 } from "@red/contract/platform/datetime";
import type { drawRoutes } from "@red/contract/draws/draw";
import { AppError } from "@red/contract/platform/errors";
import { formatCents } from "@red/contract/platform/money";
import type { Language } from "@red/contract/platform/texts";
import type { ChanceReader } from "./chance-reader.ts";
import type { PlayerChances } from "./chance-sql.ts";
import { ruleOf } from "./explanation.ts";
import type { Handlers } from "#platform/handlers";
import { selectRounds } from "#rounds/activity-sql";
import type { ChanceRound } from "#rounds/activity-sql";

const ROUNDS_MAX = 1_000;

function toOpenRound(round: ChanceRound, timeZone: string, language: Language) {
  return {
    rounds_id: round.id,
    rounds_name: round.rounds_name,
    tag: round.tag,
    start_time: formatRfc3339(round.start_time, timeZone),
    end_time: formatRfc3339(round.end_time, timeZone),
    rule_text: ruleOf(round, (instant) => formatDateTime(instant, timeZone), language),
  };
}

export function toRoundChances({ next, ...chances }: PlayerChances) {
  const missing =
    next === null ? null : { source: next.source, missing: formatCents(next.missing_cents) };
  return { ...chances, next: missing };
}

export const openRoundHandlers = (
  reader: ChanceReader,
): Pick<Handlers<typeof drawRoutes>, "rounds" | "chances"> => ({
  rounds: async ({ db, query, services, language }) => {
    const rows = await selectRounds(db, { active: query.active === 1, limit: ROUNDS_MAX });
    const { timeZone } = services.settings;
    return { data: { rounds: rows.map((round) => toOpenRound(round, timeZone, language)) } };
  },
  chances: async ({ params, query }) => {
    const answer = await reader.read(params.rounds_id, query.player_id);
    if (typeof answer === "string") {
      throw new AppError(answer);
    }
    return { data: toRoundChances(answer) };
  },
});
