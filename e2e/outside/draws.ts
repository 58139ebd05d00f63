/** Part 4: draws until nothing is left, and the same draw a hundred times. */
import { claim, claimEqual } from "./claims.ts";
import type { Round, Signed } from "./context.ts";
import { playerId } from "./chances/feeding.ts";
import { dig, textAt } from "./json.ts";
import { askFor, inFlight } from "./platform.ts";
import type { Answer } from "./platform.ts";
import { HUNDRED } from "./setup.ts";

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

/** Stock 100, 160 requests by players with enough chances. */
export async function sellOut({ operator, platform }: Signed, round: Round): Promise<void> {
  const players = Array.from({ length: 80 }, (_, index) => ({
    player_id: `o-s${index}`,
    user_name: `Scarce_${index}`,
  }));
  await platform.call("POST", "/open/v1/players", { players });
  const asks = [...players, ...players].map(({ player_id }) => askFor(round.id, player_id));
  const answers = await inFlight(asks, WIDTH, platform.draw);
  claimEqual(
    "160 draws on a stock of 100 make 100 and refuse 60 as sold_out",
    tally(answers.map(outcome)),
    {
      "201": 100,
      "409 sold_out": 60,
    },
  );

  const records = await operator.records(round.id);
  const drawn = tally(records.map((record) => record.award_name));
  const totals = Object.fromEntries(HUNDRED.map((prize) => [prize.award_name, prize.award_total]));
  claimEqual("no prize was drawn beyond its total", drawn, totals);
  const list = await operator.prizes("百件池");
  const left = list.map((prize) => [dig(prize, "drawn"), dig(prize, "remaining")]);
  const expected = list.map((prize) => [dig(prize, "award_total"), 0]);
  claimEqual("the pool shows everything drawn and nothing left", left, expected);

  const drawnBySn = new Map(answers.map(({ body }) => [String(dig(body, "trans_sn")), body]));
  const matching = records.filter(({ trans_sn, award_name, award_price }) => {
    const answer = drawnBySn.get(trans_sn);
    return dig(answer, "award_name") === award_name && dig(answer, "award_price") === award_price;
  });
  claimEqual("every answer is a record with the same prize", matching.length, 100);
  const refused = asks.filter((_, index) => answers[index]?.code === "sold_out");
  const chances = await inFlight(refused, 8, ({ player_id }) =>
    platform.call("GET", `/open/v1/rounds/${round.id}/chances?player_id=${player_id}`, null),
  );
  const keep = chances.every(({ body }) => Number(dig(body, "remain")) > 0);
  claim("a refusal as sold_out keeps the chance", keep);
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

export async function drawOnceInParallel(
  { operator, platform }: Signed,
  round: Round,
): Promise<void> {
  const before = (await operator.records(round.id)).length;
  const ask = askFor(round.id, playerId(0));
  const answers = await inFlight(
    Array.from({ length: 100 }, () => ask),
    100,
    platform.draw,
  );
  claimEqual("the same request_id 100 times at once is drawn once", tally(answers.map(outcome)), {
    "200": 99,
    "201": 1,
  });
  claimEqual("and has one answer", new Set(answers.map((answer) => answer.text)).size, 1);
  claimEqual("and one record", (await operator.records(round.id)).length - before, 1);
  const other = await platform.draw({ ...ask, player_id: playerId(1) });
  claimEqual("with another body it is refused", outcome(other), "409 request_id_reused");
  const read = await platform.call("GET", `/open/v1/draws/${ask.request_id}`, null);
  const same = textAt(read.body, "trans_sn") === textAt(answers[0]?.body, "trans_sn");
  claim("it is found again by its request_id", read.status === 200 && same, read.body);
}
