/**
 * Would the facts notice? Texts, limits, defaults, presets, codes, measures and routes of a copy of the
 * product are changed, one at a time, chosen by a seed among those that the facts claim. Each change
 * must have one of its facts missed, which is there again when everything is as it was.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { readFacts } from "./facts/fact.ts";
import type { Fact } from "./facts/fact.ts";
import { findMissing } from "./facts/look.ts";
import { openScene } from "./facts/scene.ts";
import type { Scene } from "./facts/scene.ts";
import { findClaims } from "./mutants/claims.ts";
import type { Claim } from "./mutants/claims.ts";
import { otherText } from "./mutants/literal.ts";
import type { Mutant } from "./mutants/literal.ts";
import { openWorkshop } from "./mutants/workshop.ts";
import type { Workshop } from "./mutants/workshop.ts";
import { random } from "./outside/random.ts";
import { runRedctl } from "./outside/server.ts";
import { openStage } from "./stories/stage.ts";

const ROOT = process.cwd();
const N = Number(process.env["PROVE_N"] ?? "1");
const SEED = Number(process.env["PROVE_SEED"] ?? "1");
/** What is changed will not come: less patience than where it is to come. */
const HURRY = { patience: 4_000, stopAtFirst: true };
const STEP_MS = 8_000;

test.use({ trace: "off" });

interface Trial {
  readonly mutant: Mutant;
  readonly facts: readonly Fact[];
}

function trialOf({ literal, facts, after }: Claim, next: () => number): Trial[] {
  const other = after ?? otherText(literal.text, next);
  return other === null ? [] : [{ mutant: { ...literal, after: other }, facts }];
}

/** `count` of them, in an order that the seed decides. */
function chosen(claims: readonly Claim[], count: number, seed: number): Trial[] {
  const next = random(seed);
  return claims
    .map((claim) => ({ claim, order: next() }))
    .toSorted((one, other) => one.order - other.order)
    .flatMap(({ claim }) => trialOf(claim, next))
    .slice(0, count);
}

/** The fact that is missed under the mutant, at first in the console alone, then in the server, too. */
async function killerOf(
  scene: Scene,
  workshop: Workshop,
  { mutant, facts }: Trial,
  rebuild: () => Promise<void>,
): Promise<Fact | undefined> {
  await workshop.apply(mutant);
  scene.distrust();
  try {
    const [missed] = await findMissing(scene, facts, HURRY);
    if (missed !== undefined || !mutant.file.startsWith("packages/contract/")) {
      return missed?.fact;
    }
    await rebuild();
    scene.distrust();
    return (await findMissing(scene, facts, HURRY))[0]?.fact;
  } finally {
    await workshop.restore(mutant);
  }
}

/** Facts that are missed in the product as it is, also when they are looked for again. */
async function missedAnyway(scene: Scene, facts: readonly Fact[]): Promise<Map<Fact, string>> {
  const look = (wanted: readonly Fact[]) => {
    scene.distrust();
    return findMissing(scene, wanted, { patience: 10_000 });
  };
  const once = await look([...new Set(facts)]);
  const twice = once.length === 0 ? [] : await look(once.map(({ fact }) => fact));
  return new Map(twice.map(({ fact, seen }) => [fact, seen]));
}

function told({ file, line, text, after }: Mutant): string {
  return `${file}:${line}  ${text} → ${after}`;
}

test("a change of what the facts claim is noticed", async ({ browser, contextOptions }) => {
  test.setTimeout(N * 60_000 + 600_000);
  const facts = readFacts("e2e/spec-facts.tsv");
  const folder = mkdtempSync(path.join(tmpdir(), "red-mutants-"));
  const workshop = openWorkshop(ROOT, path.join(folder, "copy"));
  const { claims, doubled } = findClaims(workshop.root, facts);
  const trials = chosen(claims, N, SEED);
  expect(trials).toHaveLength(N);
  const { stage, restart, close } = await openStage(folder, workshop.root);
  const base = await workshop.serve(stage.switchboard.base);
  const scene = await openScene(stage, browser, contextOptions, base, STEP_MS);
  process.stdout.write(`${claims.length} literals are claimed, ${doubled} more have a double\n`);
  let isRebuilt = false;
  const rebuild = async () => {
    isRebuilt = !isRebuilt;
    const { code, err } = await runRedctl("node tools/build.mjs", workshop.root, {}, "server");
    expect(code, err).toBe(0);
    await restart();
  };
  const survivors: string[] = [];
  const killers: { readonly trial: Trial; readonly fact: Fact }[] = [];
  for (const trial of trials) {
    const begun = Date.now();
    const fact = await killerOf(scene, workshop, trial, rebuild);
    if (isRebuilt) {
      await rebuild();
    }
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    const fate = fact === undefined ? "SURVIVES" : `line ${fact.line}: ${fact.fact}`;
    process.stdout.write(`${told(trial.mutant)}  ${fate}  (${seconds} s)\n`);
    if (fact === undefined) {
      survivors.push(told(trial.mutant));
    } else {
      killers.push({ trial, fact });
    }
  }
  // A fact that is missed in any case has noticed nothing.
  const missing = await missedAnyway(
    scene,
    killers.map(({ fact }) => fact),
  );
  const blind = killers.flatMap(({ trial, fact }) => {
    const seen = missing.get(fact);
    return seen === undefined ? [] : [`${told(trial.mutant)}: line ${fact.line}, but ${seen}`];
  });
  await scene.close();
  await workshop.close();
  await close();
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(
    `${N - survivors.length - blind.length} of ${N} changes were noticed, seed ${SEED}\n`,
  );
  expect(survivors).toEqual([]);
  expect(blind).toEqual([]);
});
