/**
 * `npm run prove -- mutants ROOM`: changes the server's code in one place at a time (StrykerJS), and expects a test to fail,
 * for 85 % of a sample of `PROVE_N` mutants drawn by `PROVE_SEED`. Goes on after a stop with what was not tested yet.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installed, ROOT, runHere } from "./run-command.ts";

/** Share of mutants that tests must notice. */
const ENOUGH = 0.85;

/**
 * What is changed, below the server's src, without ending, and tests in rooms above that hold it; its own tests count, and
 * these of the whole server.
 */
const ROOMS: Readonly<Record<string, readonly [files: string, ...above: string[]]>> = {
  identity: ["identity/*", "watch/stream"],
  evidence: ["evidence/*"],
  players: ["players/*"],
  events: ["events/*", "ops/months"],
  chances: ["chances/*"],
  payouts: ["payouts/*"],
  finance: ["finance/*"],
  approvals: ["approvals/*", "pools/guard"],
  records: ["records/*"],
  "platform/mask": ["platform/mask*"],
};
/** Needs a cluster: `prove -- citus` holds it. */
const LEFT_OUT = "events/distribute-sql";
const WHOLE = ["src/contract-audit.test.ts", "src/contract-refusals.test.ts"];

interface Tested {
  /** File, place and replacement. */
  readonly mutant: string;
  readonly original: string;
  readonly status: string;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();

function tested(book: string): Tested[] {
  const lines = existsSync(book) ? readFileSync(book, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as Tested);
}

/**
 * Prints all that no test noticed, and the figures. A mutant that cannot be loaded counts for nothing; one whose tests
 * alone may take too long counts as not noticed.
 */
function judge(all: readonly Tested[], wanted: number): number {
  const of = (status: string) => all.filter((one) => one.status === status);
  const [killed, slow, survived, uncovered, timedOut] = (
    ["Killed", "TooSlow", "Survived", "NoCoverage", "Timeout"] as const
  ).map(of) as [Tested[], Tested[], Tested[], Tested[], Tested[]];
  for (const { mutant, original, status } of [...survived, ...uncovered, ...slow]) {
    const [, place = "", replacement = ""] = /^(\S+) (.*)$/s.exec(mutant) ?? [];
    say(`${status} ${place}`);
    say(`  - ${original.replaceAll(/\s+/g, " ")}`);
    say(`  + ${replacement.replaceAll(/\s+/g, " ")}`);
  }
  const noticed = killed.length + timedOut.length;
  const judged = noticed + survived.length + uncovered.length + slow.length;
  const share = judged === 0 ? 0 : noticed / judged;
  say(
    `${(100 * share).toFixed(1)} % of ${judged} mutants noticed: killed ${killed.length}, timed out ${timedOut.length}, ` +
      `survived ${survived.length}, no coverage ${uncovered.length}, too slow to say ${slow.length}; not tested yet ${wanted - all.length}`,
  );
  return share >= ENOUGH && all.length >= wanted ? 0 : 1;
}

async function main(room: string): Promise<number> {
  const [files, ...above] = (Object.hasOwn(ROOMS, room) ? ROOMS[room] : undefined) ?? [];
  if (files === undefined) {
    say(`there is no room ${room}: give one of ${Object.keys(ROOMS).join(", ")}`);
    return 2;
  }
  const { PROVE_N: n = "100", PROVE_SEED: seed = "0" } = process.env;
  // Tests take their size from it.
  delete process.env["PROVE_N"];
  const folder = path.join(ROOT, ".cache/mutants");
  const isChanged = git("status", "--porcelain") !== "";
  const commit = git("rev-parse", "--short=12", "HEAD");
  const kept = `${isChanged ? "changed" : commit}-${seed}-${room.replaceAll("/", "-")}`;
  const book = path.join(folder, `${kept}.jsonl`);
  mkdirSync(folder, { recursive: true });
  if (isChanged) {
    rmSync(book, { force: true });
  }
  // A run that was killed leaves its copy of the tree.
  const copy = `.cache/mutants/${kept}`;
  rmSync(path.join(ROOT, copy), { recursive: true, force: true });
  const config = path.join(folder, `${kept}.json`);
  const settings = {
    plugins: ["@stryker-mutator/vitest-runner", path.join(ROOT, "tools/mutant-sample.mjs")],
    testRunner: "vitest",
    checkers: ["drawn"],
    reporters: ["book"],
    mutate: [`packages/server/src/${files}.ts`, "!**/*.test.ts", `!**/${LEFT_OUT}.ts`],
    coverageAnalysis: "perTest",
    vitest: { related: false },
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    // A minute more than its tests need: for a constant those are all of the room.
    timeoutFactor: 1,
    timeoutMS: 60_000,
    // Stryker would rewrite its paths by functions that TypeScript 7 has no more; inside the tree they hold as they are.
    tsconfigFile: "none",
    tempDirName: copy,
    ignorePatterns: [".cache", "dist", "data"],
    cleanTempDir: "always",
    allowEmpty: false,
    logLevel: "warn",
  };
  writeFileSync(config, JSON.stringify(settings));
  const tests = [...[files, ...above].map((one) => `src/${one}.test.ts`), ...WHOLE].join(" ");
  const env = { MUTANTS_BOOK: book, MUTANTS_N: n, MUTANTS_SEED: seed, MUTANTS_TESTS: tests };
  const code = await runHere(installed("stryker"), ["run", config], env);
  const drawn = existsSync(`${book}.sample`)
    ? (JSON.parse(readFileSync(`${book}.sample`, "utf8")) as { wanted: number }).wanted
    : Number(n);
  return code === 0 ? judge(tested(book), drawn) : 1;
}

process.exitCode = await main(process.argv[2] ?? "");
