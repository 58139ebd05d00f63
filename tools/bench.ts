/**
 * `npm run bench -- NAME [--runs N] [--rows N] [--short]`: a comparison with an opponent measured in the same run.
 * bench/README.md says what each measures; the last line of output is one JSON object. `--short` runs a little of
 * everything and checks the invariants, not the times.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { installed, ROOT } from "./run-command.ts";

interface Bench {
  /** One line for the list. */
  readonly about: string;
  readonly program: string;
  /** Default number of pairs. */
  readonly runs: number;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  draws: {
    about:
      "draws beside other ways to draw, with the same rows; several processes; a pause under load",
    program: "bench/draws.ts",
    runs: 5,
  },
  "draws-http": {
    about: "draws and chances over HTTP beside a naive server, bare routes and /healthz",
    program: "bench/draws-http.ts",
    runs: 5,
  },
  export: {
    about: "a million records as csv and xlsx, sheet and proof, beside a client with a cursor",
    program: "bench/export.ts",
    runs: 5,
  },
  ingest: {
    about: "bets taken in by calls of 1,000 beside COPY, single inserts, and without rollups",
    program: "bench/ingest.ts",
    runs: 5,
  },
  lists: {
    about: "pages with exact totals of three long lists beside OFFSET, compared with plain SQL",
    program: "bench/lists.ts",
    runs: 11,
  },
  web: {
    about: "weight of the console on the wire, and its acts beside a plain antd page",
    program: "bench/web.ts",
    runs: 15,
  },
  mixed: {
    about:
      "draws and lists beside each other, an export, deposits, payouts and sealing; and each alone",
    program: "bench/mixed.ts",
    runs: 1,
  },
  payouts: {
    about: "payouts claimed and settled beside one job a transaction, wallet calls in neither",
    program: "bench/payouts.ts",
    runs: 5,
  },
};

function usage(): number {
  process.stdout.write("npm run bench -- NAME [--runs N] [--rows N] [--short]\n");
  for (const [name, { about, runs }] of Object.entries(BENCHES)) {
    process.stdout.write(`  ${name}  ${about} (${runs} pairs)\n`);
  }
  return 2;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: "string" }, rows: { type: "string" }, short: { type: "boolean" } },
  });
  const [name = "", ...more] = positionals;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  const runs = values.runs ?? (values.short === true ? "1" : String(bench?.runs ?? 0));
  const isCount = (text: string) => /^[1-9]\d{0,9}$/.test(text);
  if (bench === undefined || more.length > 0 || ![runs, values.rows ?? "1"].every(isCount)) {
    return usage();
  }
  const sizes = {
    BENCH_RUNS: runs,
    ...(values.rows === undefined ? {} : { BENCH_ROWS: values.rows }),
    ...(values.short === true ? { BENCH_SHORT: "1" } : {}),
  };
  const child = spawn(installed("tsx"), [path.join(ROOT, bench.program)], {
    cwd: ROOT,
    env: { ...process.env, ...sizes },
    stdio: "inherit",
  });
  return await new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
