/**
 * `npm run bench -- NAME [--runs N] [--rows N] [--short]`: a comparison with an opponent measured in the same run.
 * bench/README.md says what each measures; the last line of output is one JSON object. `--short` runs a little of
 * everything and checks the invariants, not the times.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { installed, ROOT, runHere } from "./run-command.ts";

/** For each bench, one line for the list and the default number of pairs; its program is `bench/NAME.ts`. */
const BENCHES: Readonly<Record<string, readonly [about: string, runs: number]>> = {
  audit: ["pages of the audit log with exact totals, compared with plain SQL", 1],
  boards: ["draws over HTTP with twenty boards open and with none; how late their figures are", 15],
  crowd: ["pages and draws while one viewer asks for thousands of streams and exports", 3],
  draws: ["draws beside other ways to draw; several processes; a pause under load", 5],
  "draws-http": ["draws and chances over HTTP beside a naive server, bare routes and /healthz", 5],
  export: ["a million records as csv and xlsx, sheet and proof, beside a client with a cursor", 5],
  ingest: ["bets taken in by calls of 1,000 beside COPY, row by row, and without rollups", 5],
  lists: ["pages with exact totals of three long lists beside OFFSET, compared with plain SQL", 11],
  standby: ["draws over HTTP with a synchronous standby and with none; how late it is", 5],
  valuing: ["draws while an operator asks what changes cost, and without; how long that takes", 5],
  web: ["weight of the console on the wire, and its acts beside a plain antd page", 15],
  mixed: ["draws and lists beside each other, export, payouts and sealing; and each alone", 1],
  payouts: ["payouts claimed and settled beside one job a transaction, wallet calls in neither", 5],
};

function usage(): number {
  process.stdout.write("npm run bench -- NAME [--runs N] [--rows N] [--short]\n");
  for (const [name, [about, runs]] of Object.entries(BENCHES)) {
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
  const runs = values.runs ?? (values.short === true ? "1" : String(bench?.[1] ?? 0));
  const isCount = (text: string) => /^[1-9]\d{0,9}$/.test(text);
  if (bench === undefined || more.length > 0 || ![runs, values.rows ?? "1"].every(isCount)) {
    return usage();
  }
  return await runHere(installed("tsx"), [path.join(ROOT, `bench/${name}.ts`)], {
    BENCH_RUNS: runs,
    ...(values.rows === undefined ? {} : { BENCH_ROWS: values.rows }),
    ...(values.short === true ? { BENCH_SHORT: "1" } : {}),
  });
}

process.exitCode = await main();
