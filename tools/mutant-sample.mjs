/**
 * Plugins of Stryker for `npm run prove -- mutants`: of a room's mutants only a sample is tested, drawn by the seed, and
 * every outcome is written down at once, so that a proof goes on after a stop. Plain JavaScript, since Stryker loads it.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

// Checkers run in other processes; both sides find the book by its name.
const BOOK = process.env["MUTANTS_BOOK"] ?? "";
const SAMPLE = `${BOOK}.sample`;

/** A mutant whose tests take longer than this without it may reach the time limit without doing anything. */
const CERTAIN_MS = 20_000;

const name = ({ fileName, location: { start, end }, replacement }) => {
  // The main process reports files of the tree, a checker files of the sandbox.
  const file = fileName.slice(fileName.lastIndexOf("packages/server/"));
  return `${file}:${start.line + 1}:${start.column + 1}-${end.line + 1}:${end.column + 1} ${replacement}`;
};

const drawn = (mutant) =>
  createHash("sha256")
    .update(`${process.env["MUTANTS_SEED"]} ${name(mutant)}`)
    .digest("hex");

function textAt(file, from, to) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .slice(from.line, to.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, to.column);
  return [lines[0].slice(from.column), ...lines.slice(1)].join("\n");
}

/** Draws the sample when Stryker knows all mutants, and writes down what becomes of each. */
class Book {
  onMutationTestingPlanReady({ mutantPlans }) {
    const all = mutantPlans
      .map(({ mutant }) => mutant)
      .filter(({ status }) => status !== "Ignored");
    const ordered = all.toSorted((a, b) => (drawn(a) < drawn(b) ? -1 : 1));
    this.sample = new Set(ordered.slice(0, Number(process.env["MUTANTS_N"])).map(name));
    const book = existsSync(BOOK) ? readFileSync(BOOK, "utf8").split("\n").filter(Boolean) : [];
    const before = new Set(book.map((line) => JSON.parse(line).mutant));
    this.netTimes = new Map(mutantPlans.map(({ mutant, netTime }) => [mutant.id, netTime]));
    const left = [...this.sample].filter((one) => !before.has(one));
    this.left = new Set(left);
    writeFileSync(SAMPLE, JSON.stringify({ wanted: this.sample.size, left }));
    process.stdout.write(
      `${this.sample.size} of ${all.length} mutants, ${left.length} of them not tested yet\n`,
    );
  }

  onMutantTested(mutant) {
    // Stryker counts lines of results from one already.
    const { start, end } = mutant.location;
    const from = { line: start.line - 1, column: start.column - 1 };
    const to = { line: end.line - 1, column: end.column - 1 };
    const one = name({ ...mutant, location: { start: from, end: to } });
    if (this.left.delete(one)) {
      const isTooSlow = mutant.status === "Timeout" && this.netTimes.get(mutant.id) > CERTAIN_MS;
      const status = isTooSlow ? "TooSlow" : mutant.status;
      const original = textAt(mutant.fileName, from, to);
      appendFileSync(BOOK, `${JSON.stringify({ mutant: one, original, status })}\n`);
      process.stdout.write(`${status.padEnd(10)} ${one.replaceAll(/\s+/g, " ")}\n`);
    }
  }
}

/** Keeps mutants outside the sample from being tested. */
class Drawn {
  async init() {
    this.left = undefined;
  }

  async check(mutants) {
    this.left ??= new Set(JSON.parse(readFileSync(SAMPLE, "utf8")).left);
    const answer = (mutant) =>
      this.left.has(name(mutant))
        ? { status: "passed" }
        : { status: "compileError", reason: "not drawn" };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, answer(mutant)]));
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [
  { kind: "Reporter", name: "book", injectableClass: Book },
  { kind: "Checker", name: "drawn", injectableClass: Drawn },
];
