/** Looks for facts on a prepared system, state by state. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import type { Fact } from "./fact.ts";
import { ACTIVE, KINDS, NEGATIVE } from "./kinds.ts";
import type { Scene } from "./scene.ts";
import { SCREENS } from "./states.ts";

const GLANCE_MS = 3_000;
/** At least so many looks, also where one of them takes longer than the patience. */
const LOOKS_MIN = 3;

export interface Missing {
  readonly fact: Fact;
  /** What is seen in its place, or why nothing could be seen. */
  readonly seen: string;
}

/** In the order of the file; the facts of one state are neighbours here. */
function byState(facts: readonly Fact[]): Map<string, Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = `${fact.screen}\t${fact.state}`;
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return groups;
}

function said(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 3).join(" ");
}

async function seenOn(page: Page, fact: Fact): Promise<string> {
  const look = KINDS[fact.kind];
  if (look === undefined) {
    throw new Error(`there is no kind ${fact.kind}`);
  }
  try {
    return await look(page, fact);
  } catch (error) {
    return said(error);
  }
}

/** What the file writes for the days of the run. */
function filledIn(fact: Fact, { today, tomorrow, rounds_id, lastAccount }: Scene): Fact {
  const fill = (text: string) =>
    text
      .replaceAll("{today}", today)
      .replaceAll("{tomorrow}", tomorrow)
      .replaceAll("{account}", lastAccount())
      .replaceAll("{rounds_id}", String(rounds_id));
  return { ...fact, target: fill(fact.target), expected: fill(fact.expected) };
}

/** Those first that wait for something to come; only then can be said what has not come. */
async function lookAt(page: Page, facts: readonly Fact[], scene: Scene, patience: number) {
  // What is not there is not waited for: it is looked for again, after the others.
  page.setDefaultTimeout(GLANCE_MS);
  const isNegative = ({ kind }: Fact) => NEGATIVE.has(kind);
  const positive = facts.filter((fact) => !isNegative(fact));
  const missing = await lookOnce(page, positive, scene, patience);
  missing.push(...(await lookOnce(page, facts.filter(isNegative), scene, patience)));
  page.setDefaultTimeout(scene.step_ms);
  return missing;
}

/** A screen settles in its own time: a fact is missing when it has not come within `patience`. */
async function lookOnce(page: Page, facts: readonly Fact[], scene: Scene, patience: number) {
  const deadline = Date.now() + patience;
  const look = async (fact: Fact): Promise<Missing[]> => {
    const filled = filledIn(fact, scene);
    const seen = await seenOn(page, filled);
    return seen === filled.expected ? [] : [{ fact, seen }];
  };
  const isActive = ({ kind }: Fact) => ACTIVE.has(kind);
  let open = facts.map((fact): Missing => ({ fact, seen: "" }));
  let looks = 0;
  do {
    looks += 1;
    const sought = open.map(({ fact }) => fact);
    const passive = sought.filter((fact) => !isActive(fact));
    const left = (await Promise.all(passive.map(look))).flat();
    for (const fact of sought.filter(isActive)) {
      left.push(...(await look(fact)));
    }
    open = left;
    await sleep(open.length > 0 ? 100 : 0);
  } while (open.length > 0 && (looks < LOOKS_MIN || Date.now() < deadline));
  return open;
}

export interface Options {
  /** Milliseconds that a state may take to show its facts. */
  readonly patience: number;
  /** Leave when one fact is missing. */
  readonly stopAtFirst?: boolean;
  readonly onState?: (state: string, milliseconds: number) => void;
}

/** Those of `facts` that are not to be seen. */
export async function findMissing(
  scene: Scene,
  facts: readonly Fact[],
  { patience, stopAtFirst = false, onState }: Options,
): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const [key, group] of byState(facts)) {
    const begun = Date.now();
    const [{ screen, state }] = group as [Fact, ...Fact[]];
    const make = SCREENS[screen]?.[state];
    if (make === undefined) {
      throw new Error(`the screen ${screen} has no state ${state}`);
    }
    try {
      missing.push(...(await lookAt(await make(scene), group, scene, patience)));
    } catch (error) {
      scene.distrust();
      missing.push(...group.map((fact) => ({ fact, seen: said(error) })));
    }
    onState?.(key.replace("\t", ", "), Date.now() - begun);
    if (stopAtFirst && missing.length > 0) {
      break;
    }
  }
  return missing;
}
