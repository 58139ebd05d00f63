/** The outcome of a step of `npm test`, read from its output or report. */

export interface Outcome {
  readonly passed: number;
  readonly skipped: number;
  /** Each failure by file and name. */
  readonly failures: readonly string[];
}

/** Printed claims: `ok …` passed, `not ok …` failed. */
export function readClaims(output: string): Outcome {
  const lines = output.split("\n");
  return {
    passed: lines.filter((line) => line.startsWith("ok ")).length,
    skipped: 0,
    failures: lines.filter((line) => line.startsWith("not ok ")),
  };
}

const MARKS = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

/** A JUnit report of vitest or playwright: a file that cannot be loaded is a failure in it. */
export function readReport(xml: string): Outcome {
  const plain = (text: string) => {
    const marks = Object.entries(MARKS);
    return marks.reduce((rest, [mark, sign]) => rest.replaceAll(mark, sign), text);
  };
  const cases = xml.split("<testcase ").slice(1);
  const failed = cases.filter((one) => /<(?:failure|error)\b/.test(one));
  const skipped = cases.filter((one) => one.includes("<skipped"));
  const attribute = (one: string, name: string) =>
    plain(new RegExp(`(?<!\\w)${name}="([^"]*)"`).exec(one)?.[1] ?? "");
  return {
    passed: cases.length - failed.length - skipped.length,
    skipped: skipped.length,
    failures: failed.map((one) => `${attribute(one, "classname")} › ${attribute(one, "name")}`),
  };
}

/** Checks the runner itself: failing without a failed test is a crash, and running no test proves nothing. */
export function distrust(outcome: Outcome, hasEndedWell: boolean): Outcome {
  if (outcome.failures.length > 0 || (hasEndedWell && outcome.passed > 0)) {
    return outcome;
  }
  const why = hasEndedWell ? "no test was run" : "the runner failed although no test did";
  return { ...outcome, failures: [why] };
}
