/** Checks after each blow, and once all is settled; shared by all proofs that break the system. */
import path from "node:path";
import { claim } from "../claims.ts";
import { windowOf } from "../context.ts";
import { say, until } from "../proof.ts";
import { random } from "../random.ts";
import { openAcks } from "./acks.ts";
import type { Acks } from "./acks.ts";
import { gather } from "./evidence.ts";
import { startLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { ALWAYS, IN_QUIET } from "./oracle.ts";
import { setScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { Site } from "./stage.ts";
import { tieOut } from "./tie-out.ts";

const SETTLE_MS = 240_000;
/** Latest answered draws to repeat after each blow. */
const ASKED_AGAIN = 15;

export interface Trial {
  readonly site: Site;
  readonly scene: Scene;
  /** In milliseconds. */
  readonly since: number;
  readonly acks: Acks;
  readonly dice: () => number;
  load: Load;
  /** Blows so far. */
  kills: number;
  /** Draws with another answer when they were repeated. */
  readonly changed: unknown[];
  /** Rows that break an invariant, by its name. */
  readonly broken: Map<string, unknown[]>;
  /** Faults of finished loads. */
  readonly faults: string[];
  readonly statuses: Map<number, number>;
}

/** Sets the scene and begins the load, whose answers are kept in `folder`. */
export async function beginTrial(site: Site, folder: string, seed: number): Promise<Trial> {
  const since = Date.now();
  const scene = await setScene(site, windowOf(since));
  const acks = openAcks(path.join(folder, "acks.jsonl"));
  const dice = random(seed);
  const load = startLoad(site, scene, acks, dice);
  const heard = { changed: [], broken: new Map(), faults: [], statuses: new Map() };
  return { site, scene, since, acks, dice, load, kills: 0, ...heard };
}

/** Notes the rows that break an invariant. */
export async function judge(run: Trial, isQuiet: boolean): Promise<void> {
  const drawn = new Map(run.acks.drawn);
  const pauses = [...run.acks.pauses];
  const evidence = await gather(run.site);
  const about = { acks: run.acks, drawn, pauses, evidence, changed: run.changed };
  for (const [name, search] of Object.entries(isQuiet ? IN_QUIET : ALWAYS)) {
    const found = search(about);
    if (found.length > 0) {
      say(`broken after kill ${run.kills}: ${name}: ${JSON.stringify(found.slice(0, 3))}`);
      run.broken.set(name, [...(run.broken.get(name) ?? []), ...found]);
    }
  }
}

/** Repeats the latest answered draws: each must get the same answer, byte for byte. */
export async function askAgain({ site, acks, dice, changed }: Trial): Promise<void> {
  const last = [...acks.drawn.values()].slice(-100).filter(({ text }) => text !== null);
  const some = last.toSorted(() => dice() - 0.5).slice(0, ASKED_AGAIN);
  for (const { ask, text } of some) {
    const answer = await site.platform.draw(ask);
    if (answer.status !== 200 || answer.text !== text) {
      changed.push({ ask, first: text, later: answer.text, status: answer.status });
    }
  }
}

/** Stops the load and waits until every payout is settled. */
export async function settle(run: Trial): Promise<void> {
  const { site, load } = run;
  await site.tellWallet({ mode: "pay" });
  await load.stop();
  run.faults.push(...load.faults);
  if (load.faults.length > 0) {
    say(`faults: ${load.faults.slice(0, 5).join("\n")}`);
  }
  load.statuses.forEach((n, status) =>
    run.statuses.set(status, (run.statuses.get(status) ?? 0) + n),
  );
  await untilSettled(site).catch((error: unknown) => run.faults.push(String(error)));
  await judge(run, true);
}

/** Waits until no payout is under way. */
export async function untilSettled({ database }: Site): Promise<void> {
  const open = "payout where state in ('queued', 'sending', 'unknown')";
  await until("payouts settle", async () => (await database.count(open)) === 0, SETTLE_MS);
}

/** Claims that money ties out, no row broke an invariant and every answer can be explained; after `settle`. */
export async function claimHeld({ site, scene, since, broken, faults, acks }: Trial) {
  await tieOut(site, scene, acks, since);
  claim("draws were answered", acks.drawn.size > 0);
  for (const name of Object.keys(IN_QUIET)) {
    const found = broken.get(name) ?? [];
    claim(name, found.length === 0, found.slice(0, 3));
  }
  claim("every answer can be explained", faults.length === 0, faults.slice(0, 3));
  acks.close();
}
