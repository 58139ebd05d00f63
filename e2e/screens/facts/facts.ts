/** The facts of the specification, one per line of spec-facts.tsv, and the search for them state by state. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { filled } from "../places/place.ts";
import { ACTIVE, KINDS, NEGATIVE } from "./kinds.ts";
import { STEP_MS } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { stateOf } from "./states.ts";

const HEADER = "section\tfact\tscreen\tstate\tkind\ttarget\texpected";
const GLANCE_MS = 3_000;
/** A fact is missing when it has not appeared within this time. */
const PATIENCE_MS = 10_000;
/** Minimum number of looks, even when one takes longer than PATIENCE_MS. */
const LOOKS_MIN = 3;

export interface Fact {
  /** Line number in the file. */
  readonly line: number;
  readonly screen: string;
  /** The state in which the fact shows. */
  readonly state: string;
  /** How it is checked; see kinds.ts. */
  readonly kind: string;
  /** Where to look; depends on the kind, may be empty. */
  readonly target: string;
  readonly expected: string;
}

export interface Missing {
  readonly fact: Fact;
  /** The seen text, or why nothing could be read. */
  readonly seen: string;
}

/** Reads the file. Throws on a malformed and on a repeated line. */
export function readFacts(file: string): Fact[] {
  const [header, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const seen = new Set<string>();
  return lines.map((text, index) => {
    const [section, , screen = "", state = "", kind = "", target = "", expected = "", ...more] =
      text.split("\t");
    const key = [screen, state, kind, target, expected].join("\t");
    if (
      header !== HEADER ||
      section === "" ||
      expected === "" ||
      more.length > 0 ||
      seen.has(key)
    ) {
      throw new Error(`line ${index + 2} of ${file} is no new fact: ${text}`);
    }
    seen.add(key);
    return { line: index + 2, screen, state, kind, target, expected };
  });
}

function messageOf(error: unknown): string {
  return String(error).split("\n", 3).join(" ");
}

/** Looks for the facts again and again; answers those still missing. */
async function lookFor(page: Page, facts: readonly Fact[], { ids }: Scene): Promise<Missing[]> {
  const deadline = Date.now() + PATIENCE_MS;
  const look = async (fact: Fact): Promise<Missing[]> => {
    const [target, expected] = [filled(fact.target, ids), filled(fact.expected, ids)];
    const seen = await KINDS[fact.kind]?.(page, { target, expected }).catch(messageOf);
    return seen === expected ? [] : [{ fact, seen: seen ?? "no kind of that name" }];
  };
  let open = facts;
  for (let looks = 1; ; looks += 1) {
    const passive = open.filter(({ kind }) => !ACTIVE.has(kind));
    const missing = (await Promise.all(passive.map(look))).flat();
    for (const fact of open.filter(({ kind }) => ACTIVE.has(kind))) {
      missing.push(...(await look(fact)));
    }
    if (missing.length === 0 || (looks >= LOOKS_MIN && Date.now() > deadline)) {
      return missing;
    }
    open = missing.map(({ fact }) => fact);
    await sleep(100);
  }
}

async function lookIn(scene: Scene, facts: readonly Fact[]): Promise<Missing[]> {
  const [{ screen, state } = { screen: "", state: "" }] = facts;
  const make = stateOf(screen, state);
  if (make === undefined) {
    throw new Error(`the screen ${screen} has no state ${state}`);
  }
  try {
    const page = await make(scene);
    // Do not wait for a missing fact: it is looked for again after the others.
    page.setDefaultTimeout(GLANCE_MS);
    const isNegative = ({ kind }: Fact) => NEGATIVE.has(kind);
    // An absence only means something once all else is there.
    const missing = [
      ...(await lookFor(
        page,
        facts.filter((fact) => !isNegative(fact)),
        scene,
      )),
      ...(await lookFor(page, facts.filter(isNegative), scene)),
    ];
    page.setDefaultTimeout(STEP_MS);
    return missing;
  } catch (error) {
    scene.distrust();
    return facts.map((fact) => ({ fact, seen: messageOf(error) }));
  }
}

export async function findMissing(scene: Scene, facts: readonly Fact[]): Promise<Missing[]> {
  const states = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = `${fact.screen}, ${fact.state}`;
    states.set(key, [...(states.get(key) ?? []), fact]);
  }
  const missing: Missing[] = [];
  for (const group of states.values()) {
    missing.push(...(await lookIn(scene, group)));
  }
  return missing;
}
