/**
 * `npm run bench -- export [--runs N] [--rows N] [--short]`: records as csv and xlsx beside a plain client that reads them
 * through pg-cursor and writes the same file; then the sheet and the proof of that round, with a third of exceptions. Each
 * file is made in a process of its own, whose memory is measured; the files are compared.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { openPromise } from "yauzl";
import { installed, ROOT } from "../tools/run-command.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import { makeFile } from "./export-file.ts";
import type { Made } from "./export-file.ts";
import { makePastRound } from "./past-round.ts";
import { chart, conclude, inPairs, IS_SHORT, median, ratio, ROWS, RUNS, say } from "./report.ts";

const RECORDS = ROWS ?? (IS_SHORT ? 3_000 : 1_000_000);

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(stream, hash);
  return hash.digest("hex");
}

/** Hash of the csv, or of the only sheet in the xlsx. */
async function contentOf(file: string): Promise<string> {
  if (!file.endsWith("xlsx")) {
    return await hashOf(createReadStream(file));
  }
  const zip = await openPromise(file, { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === "xl/worksheets/sheet1.xml") {
      const hash = await hashOf(await zip.openReadStreamPromise(entry));
      zip.close();
      return hash;
    }
  }
  throw new Error(`${file} has no sheet`);
}

/** Makes a file in another process; in the short form, whose figures do not count, in this one. */
function maker(bench: BenchDatabase, folder: string) {
  const program = path.join(ROOT, "bench/export-file.ts");
  return (kind: string) => async (): Promise<Made> => {
    const file = path.join(folder, kind);
    if (IS_SHORT) {
      return await makeFile(bench.connection, kind, file);
    }
    const { stdout } = await promisify(execFile)(installed("tsx"), [program, kind, file], {
      env: { ...process.env, BENCH_CONNECTION: JSON.stringify(bench.connection) },
    });
    return JSON.parse(stdout) as Made;
  };
}

async function main(bench: BenchDatabase, folder: string): Promise<number> {
  await makePastRound(bench.db, RECORDS);
  const make = maker(bench, folder);
  const kinds = ["product.csv", "cursor.csv", "product.xlsx", "cursor.xlsx"] as const;
  const contenders = Object.fromEntries(kinds.map((kind) => [kind, make(kind)]));
  const pairs = await inPairs<(typeof kinds)[number], Made>(RUNS, contenders as never);
  for (const format of ["csv", "xlsx"]) {
    const [one, other] = await Promise.all(
      ["product", "cursor"].map((who) => contentOf(path.join(folder, `${who}.${format}`))),
    );
    if (one !== other) {
      throw new Error(`the two ${format} files differ`);
    }
  }
  const sheet = await make("sheet.csv")();
  const proof = await make("proof.jsonl")();
  if (proof.lines < RECORDS || sheet.lines < RECORDS * 0.29) {
    throw new Error(`lines are missing: ${proof.lines} of the proof, ${sheet.lines} of the sheet`);
  }
  const seconds = (kind: (typeof kinds)[number]) => median(pairs.map((pair) => pair[kind].seconds));
  for (const kind of kinds) {
    const rss = Math.max(...pairs.map((pair) => pair[kind].rss_mb));
    say(`${kind.padEnd(13)} ${seconds(kind).toFixed(2)} s  +${rss.toFixed(0)} MB`);
  }
  say(`sheet ${sheet.seconds.toFixed(2)} s  +${sheet.rss_mb.toFixed(0)} MB`);
  say(`proof ${proof.seconds.toFixed(2)} s  +${proof.rss_mb.toFixed(0)} MB`);
  const bars = kinds.map((name) => ({ name, value: RECORDS / seconds(name) }));
  chart("export", "Records per second into a file, in the same run", bars);
  const versus = (format: "csv" | "xlsx") =>
    ratio(pairs, `cursor.${format}`, `product.${format}`, (made) => made.seconds);
  const mine = pairs.flatMap((pair) => [pair["product.csv"].rss_mb, pair["product.xlsx"].rss_mb]);
  return conclude(
    {
      rows: RECORDS,
      vs_cursor_csv: versus("csv"),
      vs_cursor_xlsx: versus("xlsx"),
      rows_per_s: RECORDS / seconds("product.csv"),
      rss_mb: Math.max(...mine),
      sheet_rss_mb: sheet.rss_mb,
      proof_rss_mb: proof.rss_mb,
    },
    {
      vs_cursor_csv: { at_least: 2 },
      vs_cursor_xlsx: { at_least: 2 },
      rss_mb: { at_most: 120 },
      sheet_rss_mb: { at_most: 120 },
      proof_rss_mb: { at_most: 120 },
    },
  );
}

await runBench(main);
