/** The steps of `npm test`; each runs to its end, whatever failed before. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findChromium } from "./find-chromium.ts";
import { installed, ROOT, runCommand } from "./run-command.ts";
import { distrust, readClaims, readReport } from "./test-outcome.ts";
import type { Outcome } from "./test-outcome.ts";

const MINUTE = 60_000;

export interface StepContext {
  /** For reports and everything temporary; removed at the end. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Outcome of a step, with the output of its programs for the reader of a failure. */
export interface Run {
  readonly outcome: Outcome;
  readonly output: string;
}

export interface Step {
  readonly name: string;
  run(context: StepContext): Promise<Run>;
}

/** A step that consists of one program and its exit code. */
function check(name: string, program: string, parameters: readonly string[]): Step {
  return {
    name,
    async run({ signal }) {
      const options = { signal, timeoutMs: 5 * MINUTE };
      const { code, output } = await runCommand(program, parameters, options);
      const passed = code === 0 ? 1 : 0;
      return { outcome: { passed, skipped: 0, failures: passed === 1 ? [] : [program] }, output };
    },
  };
}

/** Runs a test runner that writes a JUnit report, and reads it. */
async function runRunner(
  { signal }: StepContext,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  report: string,
): Promise<Run> {
  const { code, output } = await runCommand(installed(program), parameters, {
    env: { ...env, FORCE_COLOR: "0" },
    timeoutMs: 25 * MINUTE,
    signal,
  });
  const outcome = readReport(existsSync(report) ? readFileSync(report, "utf8") : "");
  return { outcome: distrust(outcome, code === 0), output };
}

function vitest(name: string, parameters: readonly string[]): Step {
  return {
    name,
    async run(context) {
      const report = path.join(context.folder, `${name}.xml`);
      const reporter = ["--reporter=dot", "--reporter=junit", `--outputFile.junit=${report}`];
      return await runRunner(context, "vitest", ["run", ...parameters, ...reporter], {}, report);
    },
  };
}

async function runEndToEnd(context: StepContext): Promise<Run> {
  const report = path.join(context.folder, "end-to-end.xml");
  const env = {
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: report,
    CHROMIUM_PATH: await findChromium(),
  };
  return await runRunner(context, "playwright", ["test", "--reporter=dot,junit"], env, report);
}

/** A script that prints a claim for each of its tests. */
function claims(name: string, file: string): Step {
  return {
    name,
    async run({ signal }) {
      const options = { signal, timeoutMs: 12 * MINUTE };
      const { code, output } = await runCommand(installed("tsx"), [path.join(ROOT, file)], options);
      return { outcome: distrust(readClaims(output), code === 0), output };
    },
  };
}

/**
 * Stages run in order; the lanes of a stage run in parallel, the steps of a lane one after the other. Runs from outside
 * mostly wait for timers and crashes, and a browser uses one core, so two cores have room for both and for short steps.
 */
export const STAGES: readonly (readonly (readonly Step[])[])[] = [
  [
    [
      check("build", process.execPath, [path.join(ROOT, "tools/build.mjs")]),
      check("format", installed("oxfmt"), ["--check"]),
      check("lint", "npm", ["run", "--silent", "lint"]),
      check("unused", installed("knip"), []),
    ],
    [claims("types", "tools/types.ts"), vitest("boundaries", ["--project", "tools"])],
  ],
  // Four at once: half of their time is waiting for crashes, leases and time-outs, as nearly all of the week's is.
  [
    [vitest("server", ["--project", "server", "--maxWorkers=4"])],
    [
      claims("week", "e2e/outside/week.ts"),
      vitest(
        "unit",
        ["contract", "engine", "demo", "wallet-check", "fault-wallet"].map(
          (project) => `--project=${project}`,
        ),
      ),
    ],
  ],
  [
    [{ name: "end-to-end", run: runEndToEnd }],
    [claims("kill", "e2e/outside/kill.ts")],
    [
      claims("outside", "e2e/outside/calls.ts"),
      vitest("console", ["--project", "console*"]),
      // Benches in short, for their invariants; the server's tests hold lists, ingest and exports against plain SQL.
      ...["draws-http", "payouts"].map((name) =>
        check(`bench ${name}`, installed("tsx"), ["tools/bench.ts", name, "--short"]),
      ),
    ],
  ],
];
