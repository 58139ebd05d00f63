/**
 * `npm run prove -- NAME [ARGUMENT] [--n N] [--seed N] [--only TEXT]`: a proof of tools/proofs.ts that is too long for `npm test`,
 * which runs its short form where no machines are needed.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { PROOFS } from "./proofs.ts";
import type { Proof } from "./proofs.ts";
import { installed, ROOT, runHere } from "./run-command.ts";

const casesOf = ({ cases = [1, "times"] }: Proof) => cases;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function usage(): void {
  say("npm run prove -- NAME [--n N] [--seed N] [--only TEXT]");
  for (const [name, proof] of Object.entries(PROOFS)) {
    const [n, of] = casesOf(proof);
    const only = proof.named === true ? `; --only TEXT: ${of} with TEXT in the name` : "";
    say(`  ${[name, proof.argument].join(" ").trim()}  ${proof.about} (${n} ${of}${only})`);
  }
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) {
    return otherwise;
  }
  if (!/^\d{1,10}$/.test(text)) {
    throw new Error(`not a whole number: ${text}`);
  }
  return Number(text);
}

function seedOf({ seed }: Proof): number {
  if (seed === undefined) {
    return Date.now() % 2 ** 31;
  }
  const hash = execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return Number.parseInt(hash.slice(0, 8), 16) % 2 ** 31;
}

function commandOf(run: string): readonly [string, ...string[]] {
  const [, project] = /^packages\/(\w+)\/.*\.test\.ts$/.exec(run) ?? [];
  if (project !== undefined) {
    return [installed("vitest"), "run", "--project", project, run, "--disableConsoleIntercept"];
  }
  return run.endsWith(".spec.ts")
    ? [installed("playwright"), "test", run]
    : [installed("tsx"), path.join(ROOT, run)];
}

async function main(): Promise<number> {
  const words = ["n", "seed", "only", ...Object.values(PROOFS).map((proof) => casesOf(proof)[1])];
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(words.map((word) => [word, { type: "string" } as const])),
  });
  const [name = "", ...more] = positionals;
  const proof = Object.hasOwn(PROOFS, name) ? PROOFS[name] : undefined;
  const [most, of] = proof === undefined ? [0, ""] : casesOf(proof);
  const known = ["n", "seed", of, ...(proof?.named === true ? ["only"] : [])];
  const isKnown = Object.keys(values).every((word) => known.includes(word));
  if (proof === undefined || more.length !== (proof.argument === undefined ? 0 : 1) || !isKnown) {
    usage();
    return 2;
  }
  const n = wholeNumber(values["n"] ?? values[of], most);
  const seed = wholeNumber(values["seed"], seedOf(proof));
  const only = values["only"] ?? "";
  const cases = `${n} ${of}${only === "" ? "" : ` with "${only}"`}, seed ${seed}`;
  say(`${name}: ${cases}`);
  const [program, ...parameters] = commandOf(proof.run);
  const env = { PROVE_N: String(n), PROVE_SEED: String(seed), PROVE_ONLY: only };
  const code = await runHere(program, [...parameters, ...more], env);
  say(`${name}: ${code === 0 ? "holds" : "does not hold"} (${cases})`);
  return code;
}

process.exitCode = await main().catch((fault: unknown) => {
  say(fault instanceof Error ? fault.message : String(fault));
  return 2;
});
