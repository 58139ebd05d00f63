/**
 * `npm test`: every check of the repository. Prints the version of Node, a line for each step and the output of a failed
 * one; at the end every failure by file and name, and as the last line `N passed, N failed`. Names of steps as arguments
 * run only those.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Outcome } from "./test-outcome.ts";
import { STAGES } from "./test-steps.ts";
import type { Run, Step, StepContext } from "./test-steps.ts";

/** Characters shown of a failed step's output. */
const SHOWN = 20_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(name: string, { passed, skipped, failures }: Outcome, ms: number): string {
  const left = skipped > 0 ? `, ${skipped} skipped` : "";
  const counts = `${passed} passed, ${failures.length} failed${left}`;
  const mark = failures.length > 0 ? "✗" : "✓";
  return `${mark} ${name.padEnd(12)} ${counts.padEnd(32)} ${(ms / 1000).toFixed(1)} s`;
}

interface Sum {
  passed: number;
  readonly failures: string[];
}

/** A step that throws is a failure of its own. */
function thrown(error: unknown): Run {
  return {
    outcome: { passed: 0, skipped: 0, failures: ["the step itself"] },
    output: String(error),
  };
}

/** Runs the steps of one lane, reports each when it ends, and adds it to `sum`. */
async function runLane(lane: readonly Step[], context: StepContext, sum: Sum): Promise<void> {
  for (const step of lane) {
    if (context.signal.aborted) {
      return;
    }
    const begun = Date.now();
    const { outcome, output } = await step.run(context).catch(thrown);
    sum.passed += outcome.passed;
    sum.failures.push(...outcome.failures.map((failure) => `${step.name}: ${failure}`));
    say(describe(step.name, outcome, Date.now() - begun));
    if (outcome.failures.length > 0) {
      say(`\n${output.trim().slice(-SHOWN)}\n`);
    }
  }
}

async function main(names: readonly string[]): Promise<number> {
  const known = STAGES.flat(2).map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    say(`there is no step ${unknown.join(", ")}: give ${known.join(", ")}`);
    return 1;
  }
  const control = new AbortController();
  process.once("SIGINT", () => control.abort());
  process.once("SIGTERM", () => control.abort());
  const folder = mkdtempSync(path.join(tmpdir(), "red-packet-test-"));
  // Like /tmp: tests run programs under other accounts, whose caches are here too.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  const context: StepContext = { folder, signal: control.signal };
  const sum: Sum = { passed: 0, failures: [] };
  say(`Node ${process.versions.node}`);
  const isWanted = ({ name }: Step) => names.length === 0 || names.includes(name);
  try {
    for (const stage of STAGES) {
      await Promise.all(stage.map((lane) => runLane(lane.filter(isWanted), context, sum)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (control.signal.aborted) {
    sum.failures.push("stopped before the end");
  }
  sum.failures.forEach((failure) => say(`✗ ${failure}`));
  say(`${sum.passed} passed, ${sum.failures.length} failed`);
  return sum.failures.length > 0 || sum.passed === 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
