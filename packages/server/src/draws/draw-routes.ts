/** Draws through the platform API (platform-api; behaviour §5). */
import { drawRequest } from "@red/contract/draws/draw";
import type { DrawAnswer, drawRoutes } from "@red/contract/draws/draw";
import { formatRfc3339 } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { STATUS_OF_STATE } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import type { Language } from "@red/contract/platform/texts";
import type { DrawQueue } from "./draw-queue.ts";
import type { DrawResult } from "./draw-prizes.ts";
import { selectAnsweredDraw } from "./draw-sql.ts";
import type { DrawRow } from "./draw-sql.ts";
import { problemOf, toAppError } from "#platform/http/answer";
import type { Handlers } from "#platform/handlers";
import { drawsTotal } from "#platform/http/metrics";
import type { ChanceReader } from "#chances/chance-reader";
import { openRoundHandlers } from "#chances/open-rounds";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";

export function drawAnswerOf(drawn: DrawRow, timeZone: string): DrawAnswer {
  return {
    log_id: drawn.log_id,
    trans_sn: drawn.trans_sn,
    rounds_id: drawn.rounds_id,
    award_name: drawn.award_name,
    award_price: formatCents(drawn.award_price_cents),
    type: drawn.award_price_cents === 0 ? "physical" : "virtual",
    created_at: formatRfc3339(drawn.created_at, timeZone),
  };
}

/** Called for each rejected draw. An `overloaded` error does not count as rejected. */
export type OnRefused = (rounds_id: number, reason: ErrorKey) => void;

function countDraw(result: DrawResult): void {
  const drawn = "drawn" in result && (result.drawn.isRepeat ? "repeated" : "drawn");
  drawsTotal.inc({ outcome: "refused" in result ? result.refused : `${drawn}` });
}

/** Handles one row of a batch. Returns the answer that a single call would get. */
async function drawRow(
  row: unknown,
  key: string,
  deps: { readonly draws: DrawQueue; readonly timeZone: string; readonly onRefused: OnRefused },
  language: Language,
  request: FastifyRequest,
) {
  const parsed = z.safeParse(drawRequest, row);
  if (!parsed.success) {
    const errors = faultsOf(parsed.error.issues, language);
    return { ...problemOf("bad_input", language, { first: errors[0].msg }), errors };
  }
  try {
    const result = await deps.draws.draw(key, parsed.data);
    countDraw(result);
    if ("refused" in result) {
      deps.onRefused(parsed.data.rounds_id, result.refused);
      return problemOf(result.refused, language);
    }
    const status: 200 | 201 = result.drawn.isRepeat ? 200 : 201;
    return { status, ...drawAnswerOf(result.drawn, deps.timeZone) };
  } catch (fault) {
    const error = toAppError(fault, request.id);
    if (error.key === "internal") {
      request.log.error({ err: fault }, "a draw of a batch failed");
    }
    return problemOf(error.key, language, error.values);
  }
}

export const drawHandlers = (
  draws: DrawQueue,
  chances: ChanceReader,
  onRefused: OnRefused,
): Handlers<typeof drawRoutes> => ({
  ...openRoundHandlers(chances),
  draw: async ({ actor, body, services }) => {
    const result = await draws.draw(actor.name, body);
    countDraw(result);
    if ("refused" in result) {
      onRefused(body.rounds_id, result.refused);
      throw new AppError(result.refused);
    }
    const data = drawAnswerOf(result.drawn, services.settings.timeZone);
    return { data, status: result.drawn.isRepeat ? 200 : 201 };
  },
  batch: async ({ actor, body, services, language, request }) => {
    const deps = { draws, onRefused, timeZone: services.settings.timeZone };
    const rows = body.draws.map((row) => drawRow(row, actor.name, deps, language, request));
    return { data: { results: await Promise.all(rows) } };
  },
  find: async ({ db, actor, params, services }) => {
    const record = found(
      await selectAnsweredDraw(db, actor.name, params.request_id),
      "draw_not_found",
    );
    const award_status = STATUS_OF_STATE[record.payout_state];
    return { data: { ...drawAnswerOf(record, services.settings.timeZone), award_status } };
  },
});
