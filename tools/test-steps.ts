/** The steps of `npm test`; each runs to its end whatever the ones before came to. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkTypes } from "./check-types.ts";
import { findChromium } from "./find-chromium.ts";
import { installed, ROOT, runCommand } from "./run-command.ts";
import {
  distrust,
  readClaims,
  readPlaywrightReport,
  readVitestReport,
  single,
} from "./test-outcome.ts";
import type { Outcome } from "./test-outcome.ts";

const MINUTE = 60_000;

export interface StepContext {
  /** For reports; everything temporary goes here and is removed at the end. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Step {
  readonly name: string;
  run(context: StepContext): Promise<Outcome>;
}

/** A step that is one program and its exit code. */
function check(name: string, program: string, parameters: readonly string[]): Step {
  return {
    name,
    async run({ signal }) {
      const options = { signal, timeoutMs: 5 * MINUTE };
      const { code, output } = await runCommand(program, parameters, options);
      return single(code === 0, output);
    },
  };
}

async function runTypes({ signal }: StepContext): Promise<Outcome> {
  const outcomes = await checkTypes(signal);
  const faulty = outcomes.filter((outcome) => !outcome.isGood);
  return {
    passed: outcomes.length - faulty.length,
    failed: faulty.length,
    skipped: 0,
    details: faulty.map(({ project, output }) => `${project}\n${output.trim()}`).join("\n\n"),
  };
}

/** Runs a test runner that writes a report, and reads it. */
async function runRunner(
  context: StepContext,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  report: string,
  read: (text: string) => Outcome,
): Promise<Outcome> {
  const { code, output } = await runCommand(installed(program), parameters, {
    env: { ...env, FORCE_COLOR: "0" },
    timeoutMs: 25 * MINUTE,
    signal: context.signal,
  });
  const empty: Outcome = { passed: 0, failed: 0, skipped: 0, details: "" };
  const outcome = existsSync(report) ? read(readFileSync(report, "utf8")) : empty;
  return distrust(outcome, code === 0 && existsSync(report), output);
}

function vitest(name: string, parameters: readonly string[]): Step {
  return {
    name,
    async run(context) {
      const report = path.join(context.folder, `${name}.json`);
      // The dots end with what went wrong outside of any test, which the report does not tell.
      const reporter = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
      const all = ["run", ...parameters, ...reporter];
      return await runRunner(context, "vitest", all, {}, report, readVitestReport);
    },
  };
}

async function runEndToEnd(context: StepContext): Promise<Outcome> {
  const report = path.join(context.folder, "end-to-end.json");
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    CHROMIUM_PATH: await findChromium(),
  };
  const parameters = ["test", "--reporter=json"];
  return await runRunner(context, "playwright", parameters, env, report, readPlaywrightReport);
}

/** A run from outside, given by its file: each claim that it prints is a test. */
function claims(name: string, file: string): Step {
  return {
    name,
    async run({ signal }) {
      const options = { signal, timeoutMs: 12 * MINUTE };
      const { code, output } = await runCommand(installed("tsx"), [path.join(ROOT, file)], options);
      return distrust(readClaims(output), code === 0, output);
    },
  };
}

/**
 * In order; lanes of one stage run side by side, the steps of a lane one after the other. The runs
 * from outside wait for timers and crashes most of the time, and a browser is one core's work: two
 * cores have room for both, and for the short steps that end before the browser does. What keeps both
 * cores busy for long stays alone.
 */
export const STAGES: readonly (readonly (readonly Step[])[])[] = [
  [[check("build", process.execPath, [path.join(ROOT, "tools/build.mjs")])]],
  [
    [
      check("format", installed("oxfmt"), ["--check"]),
      check("lint", "npm", ["run", "--silent", "lint"]),
      check("unused", installed("knip"), []),
    ],
    [{ name: "types", run: runTypes }, vitest("boundaries", ["--project", "tools"])],
  ],
  [[vitest("server", ["--project", "server"])]],
  [
    [{ name: "end-to-end", run: runEndToEnd }],
    [
      claims("outside", "e2e/outside/calls.ts"),
      claims("week", "e2e/outside/week.ts"),
      claims("kill", "e2e/outside/kill.ts"),
      vitest("unit", ["--project", "contract", "--project", "engine", "--project", "demo"]),
      vitest("console", ["--project", "console"]),
    ],
  ],
];
