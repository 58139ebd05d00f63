/**
 * The demo game platform, in its own process: sends players, deposits and bets, lets players draw, and
 * sometimes reverses a row, through the public API only. It ends with its parent. Environment: BASE_URL of
 * the system, KEY and SECRET of a platform key with the scopes ingest, draw and read.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { requireEnvironment } from "./environment.ts";
import { stopWithParent } from "./lifetime.ts";
import { createFeed } from "./platform-feed.ts";
import { between } from "./platform-habits.ts";
import { createVisits } from "./platform-visits.ts";
import { callUntilAnswered } from "./signed-call.ts";

/** Players that are on the site at the same time. */
const VISITORS = 3;
/** Pause after a call is refused as a whole (key revoked, scope missing). */
const PAUSE_AFTER_REFUSAL_MS = 15_000;

async function main(): Promise<void> {
  const { BASE_URL, KEY, SECRET } = requireEnvironment(["BASE_URL", "KEY", "SECRET"]);
  const stopped = new AbortController();
  const { signal } = stopped;
  stopWithParent(() => stopped.abort());

  const peer = { baseUrl: BASE_URL.replace(/\/$/, ""), key: KEY, secret: SECRET };
  const call = callUntilAnswered(peer, signal);

  /** Repeats an act with random pauses. */
  async function keepDoing(act: () => Promise<void>, least: number, most: number): Promise<void> {
    while (!signal.aborted) {
      const done = await act().then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) {
            process.stderr.write(`demo platform: ${String(error)}\n`);
          }
          return false;
        },
      );
      await sleep(done ? between(least, most) : PAUSE_AFTER_REFUSAL_MS, undefined, { signal });
    }
  }

  const feed = createFeed(call);
  const visits = createVisits(call, (ms) => sleep(ms, undefined, { signal }));
  const visitors = Array.from({ length: VISITORS }, () =>
    keepDoing(() => visits.visit(), 400, 1_600),
  );
  await Promise.allSettled([
    keepDoing(() => feed.money(), 1_500, 4_000),
    keepDoing(() => feed.takeBack(), 90_000, 240_000),
    keepDoing(() => visits.lookForRounds(), 10_000, 20_000),
    ...visitors,
  ]);
}

await main();
