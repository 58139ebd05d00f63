import { expect } from "@playwright/test";
import { test } from "../stories/stage.ts";
import { findMissing, readFacts } from "./facts/facts.ts";
import { openScene } from "./facts/scene.ts";
import { dialogGaps, routeGaps } from "./gaps.ts";

/** In `npm test` what each screen shows once opened, and where routes lead; `npm run prove -- facts` reaches every state. */
const IS_WHOLE = process.env["PROVE_N"] !== undefined;
const EVERY_DAY = ["opened", "signed out", "signed in", "page not found", "no permission"];

test("the facts of the specification are to be seen", async ({
  browser,
  contextOptions,
  stage,
}) => {
  test.setTimeout(3_600_000);
  const facts = readFacts("e2e/screens/spec-facts.tsv");
  expect(facts.length).toBeGreaterThanOrEqual(250);
  const begun = Date.now();
  const scene = await openScene(stage, browser, contextOptions);
  const only = process.env["PROVE_ONLY"] ?? "";
  const sought = facts.filter(
    ({ screen, state }) =>
      `${screen}, ${state}`.includes(only) && (IS_WHOLE || EVERY_DAY.includes(state)),
  );
  expect(sought.length).toBeGreaterThan(only === "" ? 100 : 0);
  // A new screen or dialog needs a place, for the long proofs.
  const opened = await scene.open("/404");
  await expect(opened.getByRole("heading", { level: 1 })).toBeVisible();
  expect([...dialogGaps(), ...(await routeGaps(opened))]).toEqual([]);
  const missing = await findMissing(scene, sought);
  await scene.close();
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  process.stdout.write(`${sought.length} facts, ${missing.length} missing (${seconds} s)\n`);
  const lines = missing.map(
    ({ fact, seen }) => `line ${fact.line}: ${fact.kind} ${fact.expected}, but ${seen}`,
  );
  expect(lines).toEqual([]);
});
