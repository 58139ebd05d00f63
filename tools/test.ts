/**
 * `npm test`: every check of the repository. Prints one line for each step, the failures in full, and
 * as its last line `N passed, N failed`. Names of steps as arguments run only those.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { single } from "./test-outcome.ts";
import type { Outcome } from "./test-outcome.ts";
import { STAGES } from "./test-steps.ts";
import type { Step, StepContext } from "./test-steps.ts";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(name: string, outcome: Outcome, milliseconds: number): string {
  const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : "";
  const counts = `${outcome.passed} passed, ${outcome.failed} failed${skipped}`;
  const mark = outcome.failed > 0 ? "✗" : "✓";
  return `${mark} ${name.padEnd(12)} ${counts.padEnd(32)} ${(milliseconds / 1000).toFixed(1)} s`;
}

interface Sum {
  passed: number;
  failed: number;
}

/** Runs the steps of one lane, tells of each when it ends, and adds it to `sum`. */
async function runLane(lane: readonly Step[], context: StepContext, sum: Sum): Promise<void> {
  for (const step of lane) {
    if (context.signal.aborted) {
      return;
    }
    const begun = Date.now();
    const outcome = await step.run(context).catch((error: unknown) => single(false, String(error)));
    sum.passed += outcome.passed;
    sum.failed += outcome.failed;
    say(describe(step.name, outcome, Date.now() - begun));
    if (outcome.failed > 0) {
      say(`\n${outcome.details}\n`);
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
  // As /tmp itself: tests run programs under other accounts, which keep their caches here too.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  const context: StepContext = { folder, signal: control.signal };
  const sum: Sum = { passed: 0, failed: 0 };
  const isWanted = ({ name }: Step) => names.length === 0 || names.includes(name);
  try {
    for (const stage of STAGES) {
      await Promise.all(stage.map((lane) => runLane(lane.filter(isWanted), context, sum)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (control.signal.aborted) {
    say("stopped before the end");
    sum.failed += 1;
  }
  say(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed > 0 || sum.passed === 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
