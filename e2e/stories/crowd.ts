/** Many players who draw at once, until the round refuses them. */
import { askFor, inFlight } from "../outside/platform.ts";
import type { Answer } from "../outside/platform.ts";
import type { Stage } from "./stage.ts";

const LANES = 64;

/** Makes `count` players `prefix-0`, `prefix-1`, …; answers their platform ids. */
export async function makeCrowd(stage: Stage, prefix: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
  await stage.platform.register(...ids);
  return ids;
}

/**
 * Draws for the players in turn in 64 lanes, each until it is refused (409), so that the drawing lasts until the
 * system ends it. Repeats broken calls, as platforms do. Answers the status or the code of every draw.
 */
export async function drawUntilRefused(
  stage: Stage,
  rounds_id: number,
  ids: readonly string[],
): Promise<string[]> {
  const lanes = await inFlight(Array.from({ length: LANES }), LANES, async (_, lane) => {
    const heard: Answer[] = [];
    for (let at = lane; heard.at(-1)?.status !== 409; at += LANES) {
      const ask = askFor(rounds_id, ids[at % ids.length] ?? "");
      const first = await stage.platform.draw(ask);
      heard.push(first.status === 0 ? await stage.platform.draw(ask) : first);
    }
    return heard;
  });
  return lanes.flat().map(({ status, code }) => (typeof code === "string" ? code : String(status)));
}
