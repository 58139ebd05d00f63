/** Shared by proofs that are programs: the seed, printed lines, the frame. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { brokenSoFar, claim, part, verdict } from "./claims.ts";
import { makeFolder } from "./server.ts";

export const SEED = Number(process.env["PROVE_SEED"] ?? randomBytes(4).readUInt32BE());

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Builds the server, runs the proof with a folder of its own, and ends this program: status 1 when a claim failed. */
export async function prove(name: string, run: (folder: string) => Promise<void>): Promise<never> {
  say(`seed ${SEED}`);
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { stdio: "inherit" });
  const folder = makeFolder(name);
  await part(name, () => run(folder));
  rmSync(folder, { recursive: true, force: true });
  process.exit(verdict());
}

/** Waits until it holds; throws after `ms`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 120_000,
): Promise<void> {
  const giveUp = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > giveUp) {
      throw new Error(`in vain for ${ms} ms: ${what}`);
    }
    await sleep(50);
  }
}

export const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();

/**
 * Runs a part of a long proof and notes in .cache that it held: with the same seed and commit the proof skips it next time.
 * Answers what the part answered, undefined when it did not hold. Notes nothing while the tree has changes.
 */
export async function heldOnce<T>(
  proof: string,
  what: string,
  run: () => Promise<T>,
): Promise<T | undefined> {
  const isChanged = git("status", "--porcelain") !== "";
  const book = `.cache/held-${git("rev-parse", "HEAD")}-${SEED}.jsonl`;
  const lines = existsSync(book) && !isChanged ? readFileSync(book, "utf8").split("\n") : [];
  const name = `${proof}: ${what}`;
  const before = lines
    .filter(Boolean)
    .map((line): { name: string; told: T } => JSON.parse(line))
    .find((one) => one.name === name);
  if (before !== undefined) {
    claim(`${what} held before`, true);
    return before.told;
  }
  const broken = brokenSoFar();
  let told: T | undefined;
  await part(what, async () => {
    told = await run();
  });
  if (brokenSoFar() > broken) {
    return undefined;
  }
  if (!isChanged) {
    mkdirSync(".cache", { recursive: true });
    appendFileSync(book, `${JSON.stringify({ name, told })}\n`);
  }
  return told;
}
