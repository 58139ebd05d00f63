/** Draws until no chance is left, and the words for what draws are answered. */
import { claimEqual } from "./claims.ts";
import type { Round, Signed } from "./context.ts";
import { playerId } from "./chances/feeding.ts";
import { dig } from "./json.ts";
import { askFor, inFlight } from "./platform.ts";
import type { Answer } from "./platform.ts";

const WIDTH = 64;

export function tally(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) {
    counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  }
  return counts;
}

/** A draw in one word: its status, and the code of a refusal. */
export function outcome({ status, code }: Answer): string {
  return status === 200 || status === 201 ? String(status) : `${status} ${String(code)}`;
}

/** The first `count` players draw until they are refused. */
export async function drawAllChances(
  { operator, platform }: Signed,
  round: Round,
  count: number,
): Promise<void> {
  const players = Array.from({ length: count }, (_, index) => playerId(index));
  const remain = await inFlight(players, 8, async (player_id) => {
    const path = `/open/v1/rounds/${round.id}/chances?player_id=${player_id}`;
    return Number(dig((await platform.call("GET", path, null)).body, "remain"));
  });
  const asks = players.flatMap((player_id, index) =>
    Array.from({ length: (remain[index] ?? 0) + 1 }, () => askFor(round.id, player_id)),
  );
  const answers = await inFlight(asks, WIDTH, platform.draw);
  const sum = remain.reduce((all, one) => all + one, 0);
  claimEqual(
    `"${round.name}" is drawn as often as earned, and then refused`,
    tally(answers.map(outcome)),
    {
      ...(sum > 0 ? { "201": sum } : {}),
      "409 no_chance_left": count,
    },
  );
  const records = tally((await operator.records(round.id)).map((record) => record.player_id));
  const expected = Object.fromEntries(
    players.flatMap((id, index) => ((remain[index] ?? 0) > 0 ? [[id, remain[index] ?? 0]] : [])),
  );
  claimEqual(`each player has as many records in "${round.name}" as chances`, records, expected);
}
