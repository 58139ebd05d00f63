/** What a step of `npm test` comes to, and how the reports of the runners are read into it. */

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What a reader needs in order to mend the failures; empty when there are none. */
  readonly details: string;
}

/** A step that is one check. */
export function single(isGood: boolean, output: string): Outcome {
  return {
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    skipped: 0,
    details: isGood ? "" : output.trim(),
  };
}

/**
 * A runner's own word is not enough: one that failed without a failing test has crashed, and one
 * that ran nothing has proved nothing.
 */
export function distrust(outcome: Outcome, hasEndedWell: boolean, output: string): Outcome {
  if (outcome.failed === 0 && (!hasEndedWell || outcome.passed === 0)) {
    const why = hasEndedWell ? "no test was run" : "the runner failed although no test did";
    return { ...outcome, failed: 1, details: `${why}\n${output.trim().slice(-6_000)}` };
  }
  return outcome;
}

/** Claims that a run prints one by one: `ok …` held, `not ok …` did not. */
export function readClaims(output: string): Outcome {
  const lines = output.split("\n");
  const failed = lines.filter((line) => line.startsWith("not ok "));
  return {
    passed: lines.filter((line) => line.startsWith("ok ")).length,
    failed: failed.length,
    skipped: 0,
    details: failed.join("\n"),
  };
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** A file that could not be loaded has no tests and counts as one failure. */
export function readVitestReport(text: string): Outcome {
  const report = JSON.parse(text) as VitestReport;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const details: string[] = [];
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === "passed" || test.status === "failed") {
        counts[test.status] += 1;
      } else {
        counts.skipped += 1;
      }
      if (test.status === "failed") {
        details.push(
          `${file.name}\n  ${test.fullName}\n${(test.failureMessages ?? []).join("\n")}`,
        );
      }
    }
    if (file.status === "failed" && file.assertionResults.every((t) => t.status !== "failed")) {
      counts.failed += 1;
      details.push(`${file.name}\n${file.message}`);
    }
  }
  return { ...counts, details: details.join("\n\n") };
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: "expected" | "unexpected" | "flaky" | "skipped";
      readonly results: readonly { readonly errors?: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors?: readonly { readonly message?: string }[];
}

/** A test that passed only when tried again is a failure. */
export function readPlaywrightReport(text: string): Outcome {
  const report = JSON.parse(text) as PlaywrightReport;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const details: string[] = [];
  const visit = (suite: PlaywrightSuite, above: string): void => {
    const title = `${above}${suite.title}`;
    for (const spec of suite.specs ?? []) {
      for (const { status, results } of spec.tests) {
        const kind = { expected: "passed", skipped: "skipped" } as const;
        const count = status === "expected" || status === "skipped" ? kind[status] : "failed";
        counts[count] += 1;
        if (count === "failed") {
          const errors = results.flatMap((result) => result.errors ?? []);
          const messages = errors.map((error) => error.message ?? "").join("\n");
          details.push(`${title} › ${spec.title} (${status})\n${messages}`);
        }
      }
    }
    for (const inner of suite.suites ?? []) {
      visit(inner, `${title} › `);
    }
  };
  for (const suite of report.suites) {
    visit(suite, "");
  }
  for (const error of report.errors ?? []) {
    counts.failed += 1;
    details.push(error.message ?? "an error without a message");
  }
  return { ...counts, details: details.join("\n\n") };
}
