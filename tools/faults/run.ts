/**
 * Plants known faults one by one in a copy of the tree, and expects the test named for each to fail, and to pass without
 * it: tests that never fail prove nothing. Runs `PROVE_N` faults, all by default; names of faults as arguments run only
 * those.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { installed, ROOT, runCommand } from "../run-command.ts";
import { readReport } from "../test-outcome.ts";
import type { Outcome } from "../test-outcome.ts";
import { CATCHES } from "./catches.ts";
import type { Catch } from "./catches.ts";

const FOLDER = "tools/faults";
const TEST_MS = 300_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Tested extends Outcome {
  readonly output: string;
}

/** Our own packages: a link to the original would run the original. */
const SCOPE = "@red";

function git(folder: string, parameters: readonly string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync("git", parameters, {
    cwd: folder,
    encoding: "utf8",
    // The copy belongs to no repository, wherever it lies.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** Copies the tree for one run: all tracked and untracked files except ignored ones; installed packages are
 * linked, our own are copied. Answers the folder, which the caller removes. */
function makeScratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-faults-"));
  const { ok, output } = git(ROOT, ["ls-files", "-co", "--exclude-standard", "-z"]);
  if (!ok) {
    throw new Error(`the files of the tree could not be listed: ${output}`);
  }
  for (const file of output.split("\0")) {
    // A deleted file stays in git's list until the deletion is staged.
    if (file !== "" && existsSync(path.join(ROOT, file))) {
      cpSync(path.join(ROOT, file), path.join(folder, file));
    }
  }
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, "node_modules"))) {
    if (name !== SCOPE && name !== ".cache") {
      symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
    }
  }
  for (const name of readdirSync(path.join(folder, "packages"))) {
    symlinkSync(path.join(folder, "packages", name), path.join(modules, SCOPE, name));
  }
  return folder;
}

/** Plants a fault or removes it; throws when the patch does not apply. */
function patch(folder: string, file: string, direction: "plant" | "take back"): void {
  const back = direction === "plant" ? [] : ["--reverse"];
  const { ok, output } = git(folder, ["apply", ...back, path.join(ROOT, file)]);
  if (!ok) {
    throw new Error(`${file} does not apply any more:\n${output}`);
  }
}

/** Runs test files in the copy; without a report nothing was tested. */
async function test(
  scratch: string,
  catches: readonly Catch[],
  name: string | undefined,
  retries: number,
): Promise<Tested> {
  const report = path.join(scratch, "report.xml");
  rmSync(report, { force: true });
  const projects = [...new Set(catches.map(({ project }) => `--project=${project}`))];
  const files = [...new Set(catches.map(({ file }) => file))];
  const only = name === undefined ? [] : ["-t", name];
  const { output } = await runCommand(
    installed("vitest"),
    [
      "run",
      ...projects,
      ...files,
      ...only,
      `--retry=${retries}`,
      "--reporter=junit",
      `--outputFile=${report}`,
    ],
    { cwd: scratch, timeoutMs: TEST_MS * Math.ceil(catches.length / 4), env: { FORCE_COLOR: "0" } },
  );
  return { ...readReport(existsSync(report) ? readFileSync(report, "utf8") : ""), output };
}

/** Do the tests pass without a fault? Tests chosen by name run separately. */
async function isSound(scratch: string, catches: readonly Catch[]): Promise<boolean> {
  const whole = catches.filter((one) => one.test === undefined);
  const named = catches.filter((one) => one.test !== undefined);
  const names = [...new Set(named.map((one) => one.test))].join("|");
  const groups = [
    { group: whole, name: undefined },
    { group: named, name: names },
  ].filter(({ group }) => group.length > 0);
  for (const { group, name } of groups) {
    // On a busy machine a test may need a second try; a planted fault must show at the first.
    const { passed, failures, output } = await test(scratch, group, name, 2);
    if (failures.length > 0 || passed === 0) {
      say(`without a fault ${failures.length} tests fail, ${passed} pass\n${output}`);
      return false;
    }
    say(`without a fault ${passed} tests pass`);
  }
  return true;
}

/** The test that caught a planted fault, or why none did. */
type Found = { readonly caughtBy: string } | { readonly missed: string };

async function plant(scratch: string, one: Catch): Promise<Found> {
  const file = `${FOLDER}/${one.fault}.patch`;
  patch(scratch, file, "plant");
  const { passed, failures, output } = await test(scratch, [one], one.test, 0);
  patch(scratch, file, "take back");
  if (failures.length === 0 && passed > 0) {
    return { missed: "every test passed" };
  }
  // A file that failed to load reports only itself: a fault that does not compile proves nothing.
  const caughtBy = failures.find((failure) => new Set(failure.split(" › ")).size > 1);
  return caughtBy === undefined
    ? { missed: `the test could not run: ${output.slice(-1_500)}` }
    : { caughtBy };
}

/** Every patch has a row in the table, and every row a patch. */
function compareTable(): void {
  const patches = readdirSync(path.join(ROOT, FOLDER)).filter((name) => name.endsWith(".patch"));
  const named = CATCHES.map(({ fault }) => `${fault}.patch`);
  if (patches.toSorted().join() !== named.toSorted().join()) {
    throw new Error(`patches and table differ: ${patches.join(" ")} and ${named.join(" ")}`);
  }
}

async function main(names: readonly string[]): Promise<number> {
  compareTable();
  const count = Number(process.env["PROVE_N"] ?? CATCHES.length);
  const wanted = CATCHES.filter(({ fault }) => names.length === 0 || names.includes(fault));
  const chosen = wanted.slice(0, count);
  const scratch = makeScratch();
  try {
    if (!(await isSound(scratch, chosen))) {
      return 1;
    }
    let caught = 0;
    for (const one of chosen) {
      const begun = Date.now();
      const found = await plant(scratch, one);
      const seconds = ((Date.now() - begun) / 1_000).toFixed(0).padStart(3);
      caught += "caughtBy" in found ? 1 : 0;
      say(
        "caughtBy" in found
          ? `caught ${seconds} s  ${one.fault}: ${found.caughtBy}`
          : `NOT CAUGHT ${seconds} s  ${one.fault}: ${found.missed}`,
      );
    }
    say(`${caught} of ${chosen.length} caught`);
    return caught === chosen.length && caught > 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
