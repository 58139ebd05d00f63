import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./tools/find-chromium.ts";

// Workers read this file again; they get the answer of the first reading.
process.env["CHROMIUM_PATH"] = await findChromium();

/** Walks through all of the console take minutes: `npm run prove -- axe`, `-- walks` and others. */
const WALKS = [
  ..."docs,drafts,focus,late-answers,lost-parts".split(","),
  ..."query-kit,rows,typed-dates".split(","),
];
const IS_PROOF = process.env["PROVE_N"] !== undefined;

/**
 * Stories that need a stage without what others leave there: each gets a worker, and a system, of its own. The
 * longest comes first, and all before the short ones, so that both workers end together.
 */
const ALONE = [
  "screens/spec-facts",
  "stories/app/late-answers",
  "stories/app/lost-parts",
  "stories/records/query-kit",
]
  .filter((name) => IS_PROOF || !WALKS.includes(path.basename(name)))
  .map((name) => ({ name: path.basename(name), testMatch: `**/${name}.spec.ts` }));

/* In `shared`, `screens/english` comes before the stories, whose texts it would find. */
const PROOFS = IS_PROOF
  ? []
  : [`**/stories/*/{${WALKS.join()}}.spec.ts`, "**/screens/{axe,layout,role-walk}.spec.ts"];

export default defineConfig({
  testDir: "e2e",
  projects: [
    ...ALONE,
    {
      name: "shared",
      testIgnore: [...PROOFS, ...ALONE.map(({ testMatch }) => testMatch)],
    },
  ],
  outputDir: "test-results",
  forbidOnly: true,
  fullyParallel: false,
  // Each with a system of its own: one waits for its browser while the other's works.
  workers: 2,
  retries: 0,
  // Patient: a machine may be busy, and waiting costs nothing where all is well.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    // A program clicks while a dialog is still growing, and on a busy machine beside its button.
    contextOptions: { reducedMotion: "reduce" },
    // `--trace retain-on-failure` when a story is looked into: recording each takes a tenth of the time.
    trace: "off",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"],
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
});
