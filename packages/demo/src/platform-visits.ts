/** The demo platform's players: they visit a round and draw while they have chances. */
import { randomUUID } from "node:crypto";
import { DEMO_PLAYERS } from "@red/contract/players/demo-players";
import { drawRoutes, problem } from "@red/contract/draws/draw";
import { fillPath } from "@red/contract/platform/route";
import { between, pick } from "./platform-habits.ts";
import type { Call } from "./signed-call.ts";

/** A visit ends after this many draws, even when more are left. */
const DRAWS_PER_VISIT = 5;
/** How long a sold-out or stopped round is not tried. */
const ROUND_REST_MS = 120_000;
/** Every fourth visit makes its draws in one call, so that both kinds of calls occur within a minute. */
const BATCH_EVERY = 4;

const ROUND_REFUSALS: ReadonlySet<string> = new Set([
  "round_not_found",
  "round_not_active",
  "draws_stopped",
  "sold_out",
]);

/** Why a draw was refused; null if it was made. Throws on any other answer. */
function refusalIn(body: unknown): string | null {
  if (drawRoutes.draw.data.safeParse(body).success) {
    return null;
  }
  return problem.parse(body).code;
}

/** Draws once; returns the refusal, or null. */
async function draw(call: Call, rounds_id: number, player_id: string): Promise<string | null> {
  const request = { request_id: randomUUID(), rounds_id, player_id };
  return refusalIn((await call("POST", drawRoutes.draw.path, request)).body);
}

/** Draws `count` times in one call; returns one of the refusals, or null. */
async function drawAll(
  call: Call,
  rounds_id: number,
  player_id: string,
  count: number,
): Promise<string | null> {
  const draws = Array.from({ length: count }, () => ({
    request_id: randomUUID(),
    rounds_id,
    player_id,
  }));
  const answer = await call("POST", drawRoutes.batch.path, { draws });
  const { results } = drawRoutes.batch.data.parse(answer.body);
  return results.map(refusalIn).find((refusal) => refusal !== null) ?? null;
}

/** The visits over `call`; `pause` waits as a person does. */
export function createVisits(call: Call, pause: (ms: number) => Promise<void>) {
  let rounds: number[] = [];
  let visits = 0;
  const restUntil = new Map<number, number>();

  function restAfter(rounds_id: number, refusal: string | null): void {
    if (refusal !== null && ROUND_REFUSALS.has(refusal)) {
      restUntil.set(rounds_id, Date.now() + ROUND_REST_MS);
    }
  }

  return {
    async lookForRounds(): Promise<void> {
      const answer = await call("GET", `${drawRoutes.rounds.path}?active=1`, null);
      rounds = drawRoutes.rounds.data.parse(answer.body).rounds.map((round) => round.rounds_id);
      for (const id of restUntil.keys()) {
        if (!rounds.includes(id)) {
          restUntil.delete(id);
        }
      }
    },

    /** One player visits one round and uses the draws left. */
    async visit(): Promise<void> {
      const open = rounds.filter((id) => (restUntil.get(id) ?? 0) <= Date.now());
      const rounds_id = pick(open);
      const player = pick(DEMO_PLAYERS);
      if (rounds_id === undefined || player === undefined) {
        return;
      }
      const { player_id } = player;
      const path = fillPath(drawRoutes.chances.path, { rounds_id });
      const answer = await call("GET", `${path}?player_id=${encodeURIComponent(player_id)}`, null);
      const chances = drawRoutes.chances.data.safeParse(answer.body);
      if (!chances.success) {
        restAfter(rounds_id, problem.parse(answer.body).code);
        return;
      }
      const count = Math.min(chances.data.remain, DRAWS_PER_VISIT);
      visits += 1;
      if (count > 1 && visits % BATCH_EVERY === 0) {
        restAfter(rounds_id, await drawAll(call, rounds_id, player_id, count));
        return;
      }
      for (let done = 0; done < count; done += 1) {
        const refusal = await draw(call, rounds_id, player_id);
        if (refusal !== null) {
          restAfter(rounds_id, refusal);
          return;
        }
        await pause(between(300, 1_500));
      }
    },
  };
}
