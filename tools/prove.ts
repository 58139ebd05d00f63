/**
 * `npm run prove -- NAME [--n N] [--seed N]`: a proof that is too long for `npm test`. Each is a test that runs in
 * its short form there, and takes its size and its seed from the environment.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { installed, ROOT } from "./run-command.ts";

interface Proof {
  /** What it shows, in one line. */
  readonly about: string;
  readonly project: string;
  readonly file: string;
  /** How many cases, unless told otherwise. */
  readonly n: number;
}

const PROOFS: Readonly<Record<string, Proof>> = {
  openapi: {
    about: "calls made from the served OpenAPI: none is answered by a 5xx or off its schema",
    project: "server",
    file: "packages/server/src/http/contract-fuzz.test.ts",
    n: 20_000,
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function usage(): void {
  say("npm run prove -- NAME [--n N] [--seed N]");
  for (const [name, proof] of Object.entries(PROOFS)) {
    say(`  ${name}  ${proof.about} (${proof.n} cases)`);
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

/** Runs the proof with what it prints on this terminal; answers its exit code. */
function run(proof: Proof, n: number, seed: number): Promise<number> {
  const parameters = ["run", "--project", proof.project, proof.file, "--disableConsoleIntercept"];
  return new Promise((resolve) => {
    const child = spawn(installed("vitest"), parameters, {
      cwd: ROOT,
      env: { ...process.env, PROVE_N: String(n), PROVE_SEED: String(seed) },
      stdio: "inherit",
    });
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { n: { type: "string" }, seed: { type: "string" } },
  });
  const [name = ""] = positionals;
  const proof = Object.hasOwn(PROOFS, name) ? PROOFS[name] : undefined;
  if (proof === undefined || positionals.length > 1) {
    usage();
    return 2;
  }
  const n = wholeNumber(values.n, proof.n);
  const seed = wholeNumber(values.seed, Date.now() % 2 ** 31);
  say(`${name}: ${n} cases, seed ${seed}`);
  const code = await run(proof, n, seed);
  say(`${name}: ${code === 0 ? "holds" : "does not hold"} (${n} cases, seed ${seed})`);
  return code;
}

process.exitCode = await main().catch((fault: unknown) => {
  say(fault instanceof Error ? fault.message : String(fault));
  return 2;
});
