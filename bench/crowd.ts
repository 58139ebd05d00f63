/**
 * `npm run bench -- crowd [--runs N] [--short]`: twenty operators turn pages beside draws at a quarter of their peak, while one
 * viewer asks for 10,000 streams of a session and 600 exports of a round within a minute, and while nobody does.
 */
import type { Crowd } from "./crowd-viewer.ts";
import type { Answered, Load } from "./draws-http-client.ts";
import { checkAnswered, makeScene } from "./draws-scene.ts";
import { signIn, turnPages } from "./mixed-operators.ts";
import { makePastRound } from "./past-round.ts";
import { conclude, inPairs, IS_SHORT, quantile, ratio, RUNS, say } from "./report.ts";
import { runOnStage, source } from "./sides.ts";
import type { Stage } from "./sides.ts";

const RUN_MS = IS_SHORT ? 2_000 : 60_000;
const PEAK_MS = IS_SHORT ? 300 : 5_000;
const WARM_MS = IS_SHORT ? 100 : 2_000;
const ASKED = IS_SHORT ? { streams: 100, exports: 20 } : { streams: 10_000, exports: 600 };
/** A round of an evening. */
const RECORDS = 200;
/** More than can be drawn. */
const PEAK_MOST = Math.ceil((10_000 * (WARM_MS + PEAK_MS)) / 1_000);

interface Run {
  readonly draws: Answered;
  readonly pages: readonly number[];
}

async function contendersOf({ bench, start, startServer, openClient }: Stage) {
  const players = IS_SHORT ? 5_000 : 50_000;
  await makeScene(bench.db, { players });
  const round = await makePastRound(bench.db, RECORDS);
  const call = await openClient();
  const viewer = start(source("crowd-viewer"));
  const [tokens, [token = ""]] = [await signIn(bench.db), await signIn(bench.db, "viewer", 1)];
  const { port } = await startServer();
  const crowd: Crowd = { port, token, round, ...ASKED, within_ms: RUN_MS };
  let calls = 0;
  const draw = async (run_ms: number, speed: Pick<Load, "most" | "pace">) => {
    const load = { port, calls: "draw", rows_per_call: 1, players, warm_ms: WARM_MS } as const;
    const answered = await call({ ...load, run_ms, ...speed });
    calls += answered.calls;
    return answered;
  };
  await turnPages(port, tokens, PEAK_MS);
  const { per_s } = await draw(PEAK_MS, { most: PEAK_MOST });
  const run = (hasCrowd: boolean) => async (): Promise<Run> => {
    const asked = hasCrowd ? viewer.ask(JSON.stringify(crowd)) : null;
    const [pages, draws] = await Promise.all([
      turnPages(port, tokens, RUN_MS),
      draw(RUN_MS - WARM_MS, { pace: per_s / 4 }),
    ]);
    say(JSON.stringify({ let_in: await asked, draws, pages_p99: quantile(pages, 0.99) }));
    return { draws, pages };
  };
  const check = () => checkAnswered(bench.db, calls);
  return { contenders: { crowd: run(true), none: run(false) }, check };
}

await runOnStage(async (stage) => {
  const { contenders, check } = await contendersOf(stage);
  const pairs = await inPairs<keyof typeof contenders, Run>(RUNS, contenders);
  await check();
  const pages = (name: keyof typeof contenders) => pairs.flatMap((pair) => pair[name].pages);
  const figures = {
    pages_p99: quantile(pages("crowd"), 0.99) / quantile(pages("none"), 0.99),
    draws: ratio(pairs, "crowd", "none", (one) => one.draws.per_s),
  };
  return conclude(figures, { pages_p99: { at_most: 2 }, draws: { at_least: 0.9 } });
});
