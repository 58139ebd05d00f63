/**
 * `npm test`: every check of the repository. Prints one line for each step, the failures in full, and
 * as its last line `N passed, N failed`. Names of steps as arguments run only those.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { single } from "./test-outcome.ts";
import type { Outcome } from "./test-outcome.ts";
import { STEPS } from "./test-steps.ts";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(name: string, outcome: Outcome, milliseconds: number): string {
  const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : "";
  const counts = `${outcome.passed} passed, ${outcome.failed} failed${skipped}`;
  const mark = outcome.failed > 0 ? "✗" : "✓";
  return `${mark} ${name.padEnd(12)} ${counts.padEnd(32)} ${(milliseconds / 1000).toFixed(1)} s`;
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => STEPS.every((step) => step.name !== name));
  if (unknown.length > 0) {
    say(`there is no step ${unknown.join(", ")}: give ${STEPS.map((s) => s.name).join(", ")}`);
    return 1;
  }
  const control = new AbortController();
  process.once("SIGINT", () => control.abort());
  process.once("SIGTERM", () => control.abort());
  const folder = mkdtempSync(path.join(tmpdir(), "red-packet-test-"));
  // As /tmp itself: tests run programs under other accounts, which keep their caches here too.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  let passed = 0;
  let failed = 0;
  try {
    for (const step of STEPS) {
      if (control.signal.aborted || (names.length > 0 && !names.includes(step.name))) {
        continue;
      }
      const begun = Date.now();
      const outcome = await step
        .run({ folder, signal: control.signal })
        .catch((error: unknown) => single(false, String(error)));
      passed += outcome.passed;
      failed += outcome.failed;
      say(describe(step.name, outcome, Date.now() - begun));
      if (outcome.failed > 0) {
        say(`\n${outcome.details}\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (control.signal.aborted) {
    say("stopped before the end");
    failed += 1;
  }
  say(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
