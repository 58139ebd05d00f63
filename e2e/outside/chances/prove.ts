/**
 * Draw chances of random players, calculated independently of the packages and compared with the running system: each
 * preset of the specification over five windows, rows that come late, twice, out of order or early, reversals and
 * voids, extra times, draws.
 */
import { say } from "../proof.ts";
import { claim, claimEqual } from "../claims.ts";
import { shown } from "../context.ts";
import type { Signed } from "../context.ts";
import { dig, listAt } from "../json.ts";
import { askFor } from "../platform.ts";
import { random } from "../random.ts";
import { compare, drawnKey } from "./comparing.ts";
import type { Comparison, State } from "./comparing.ts";
import { feedPlayers, feedRows, playerId, takeBack, userName } from "./feeding.ts";
import { diceOf, makePeople, shuffled } from "./people.ts";
import type { FatedRow } from "./people.ts";
import { EXTRA_TAG, setScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

type Sides = Pick<Signed, "operator" | "platform">;

function byPlayer(rows: readonly FatedRow[]): Map<number, FatedRow[]> {
  const own = new Map<number, FatedRow[]>();
  for (const row of rows) {
    own.set(row.player, [...(own.get(row.player) ?? []), row]);
  }
  return own;
}

function judge(what: string, players: number, found: Comparison): void {
  const { comparisons, differences, onBoundary, boundaries, earning, held } = found;
  say(`${what}: ${comparisons} comparisons, ${differences.length} differences`);
  say(`  something earned in ${earning}; on a boundary ${onBoundary}`);
  for (const [kind, count] of Object.entries({
    ...boundaries,
    "draw held back by a limit": held,
  })) {
    say(`  ${kind}: ${count}`);
    // With this many players each must occur.
    if (players >= 1_000) {
      claim(`${what}: some comparisons have a ${kind}`, count > 0, count);
    }
  }
  claim(
    `${what}: every answer is the own calculation's`,
    differences.length === 0,
    differences.slice(0, 5),
  );
}

/** Each of these players uses all draws of some rounds of sums, and is refused one more; answers how often each drew. */
async function draw(
  { operator, platform }: Sides,
  scene: Scene,
  players: readonly number[],
): Promise<Map<string, number>> {
  // In the last window the day's limit counts the draws of the others.
  const rounds = scene.rounds.filter(({ preset }) => preset.code === "1,2,2");
  const some = [rounds[3], rounds[0], rounds[4]].flatMap((round) => round ?? []);
  const drawn = new Map<string, number>();
  for (const player of players) {
    for (const { id } of some) {
      const { remain } = await operator.lottimes({ rounds_id: id, user_name: userName(player) });
      const length = Math.min(remain + 1, 500);
      const draws = Array.from({ length }, () => askFor(id, playerId(player)));
      const { body } = await platform.call("POST", "/open/v1/draws/batch", { draws });
      const made = listAt(body, "results").filter((one) => dig(one, "status") === 201).length;
      claimEqual(`player ${player} draws ${remain} times in ${id}`, made, Math.min(remain, 500));
      drawn.set(drawnKey(id, player), made);
    }
  }
  return drawn;
}

/** Every fifth player gets an extra time, every tenth a second one. */
async function grant({ operator }: Sides, count: number): Promise<Map<number, number>> {
  const extras = new Map<number, number>();
  for (const every of [5, 10]) {
    const players = Array.from({ length: count }, (_, at) => at).filter((at) => at % every === 0);
    const done = await operator.data("POST", "/gred/api/extratimes/grant", {
      user_names: players.map(userName),
      tag: EXTRA_TAG,
      expire_time: shown(Date.now() + 86_400_000),
    });
    claimEqual(`${players.length} extra times are given`, dig(done, "granted"), players.length);
    players.forEach((player) => extras.set(player, (extras.get(player) ?? 0) + 1));
  }
  return extras;
}

/** Plays all of it with this many players; answers the rounds. */
export async function proveChances(sides: Sides, players: number, seed: number): Promise<Scene> {
  const dice = diceOf(random(seed));
  const scene = await setScene(sides.operator, Date.now());
  const people = shuffled(makePeople(players, scene, dice), dice);
  const of = (...fates: FatedRow["fate"][]) => people.filter(({ fate }) => fates.includes(fate));
  const everybody = Array.from({ length: players }, (_, player) => player);
  const first = of("kept", "taken_back");
  const late = of("late", "late_taken_back", "asked_early");
  const none = {
    extras: new Map<number, number>(),
    drawn: new Map<string, number>(),
    today: new Map(),
  };

  await feedPlayers(sides.platform, players);
  await feedRows(sides.platform, first, "first");
  await takeBack(sides.platform, of("asked_early"), false);
  const some = everybody.filter((player) => player % 5 === 0);
  const before: State = { counting: byPlayer(first), ...none };
  judge("before anything is taken back", players, await compare(sides, scene, some, before));

  const drawn = await draw(sides, scene, everybody.slice(0, Math.ceil(players / 20)));
  await takeBack(sides.platform, of("taken_back"), true);
  await feedRows(sides.platform, late, "late");
  await takeBack(sides.platform, of("late_taken_back"), true);
  const extras = await grant(sides, players);
  const staying = byPlayer(of("kept", "late", "asked_early"));
  const today = new Map<number, number>();
  for (const [key, draws] of drawn) {
    const player = Number(key.split(" ")[1]);
    today.set(player, (today.get(player) ?? 0) + draws);
  }
  const after: State = { counting: staying, extras, drawn, today };
  judge("in the end", players, await compare(sides, scene, everybody, after));
  say(
    `${players} players, ${scene.rounds.length} rounds, ${people.length} rows, ${late.length} late, ${of("taken_back", "late_taken_back").length} taken back, seed ${seed}`,
  );
  return scene;
}
