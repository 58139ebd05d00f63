/** Shared by all benches: pairs in turn, their medians, limits, a chart, and the last line of output. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../tools/run-command.ts";

/** Number of interleaved pairs (`--runs`). */
export const RUNS = Number(process.env["BENCH_RUNS"] ?? "5");
/** Rows of a large table (`--rows`); each bench has its own default. */
export const ROWS = Number(process.env["BENCH_ROWS"] ?? process.env["PROVE_N"] ?? 0) || null;
/** The short form: little of everything; invariants are checked, times are not. `npm test` runs it for two benches. */
export const IS_SHORT = process.env["BENCH_SHORT"] === "1";

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The fields after the name in `/proc/PID/stat`; none when the process has ended. */
export function statOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Seconds of CPU, in ticks of 10 ms, that a process with these fields has used. */
export const cpuOf = (stat: readonly string[]) =>
  (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / 100;

/** The value below which `share` (0 to 1) of the values lie; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = sorted.slice(
    sorted.length % 2 === 1 ? middle : middle - 1,
    middle + 1,
  );
  return sorted.length % 2 === 1 ? low : (low + high) / 2;
}

/**
 * Runs all contenders once per pair, in turn; the first one alternates. Answers what each returned, pair by pair, so
 * that a ratio is taken within its pair.
 */
export async function inPairs<N extends string, T>(
  runs: number,
  contenders: Readonly<Record<N, (run: number) => Promise<T>>>,
): Promise<Record<N, T>[]> {
  const names = Object.keys(contenders) as N[];
  const pairs: Record<N, T>[] = [];
  for (let run = 0; run < runs; run += 1) {
    const pair = {} as Record<N, T>;
    for (const name of run % 2 === 0 ? names : names.toReversed()) {
      pair[name] = await contenders[name](run);
    }
    pairs.push(pair);
  }
  return pairs;
}

/** The median, over the pairs, of one contender's figure (`of`) divided by the other's. */
export function ratio<N extends string, T>(
  pairs: readonly Record<N, T>[],
  one: N,
  other: N,
  of: (result: T) => number = Number,
): number {
  return median(pairs.map((pair) => of(pair[one]) / of(pair[other])));
}

export interface Limit {
  readonly at_least?: number;
  readonly at_most?: number;
}

type Figures = Readonly<Record<string, number | string | null>>;

/** Prints each figure beyond its limit, then all as one JSON object; answers the exit code. */
export function conclude(figures: Figures, limits: Readonly<Record<string, Limit>>): number {
  const faults = Object.entries(limits).flatMap(([name, { at_least, at_most }]) => {
    const value = figures[name];
    const isBeyond =
      typeof value === "number" &&
      !(
        value >= (at_least ?? Number.NEGATIVE_INFINITY) &&
        value <= (at_most ?? Number.POSITIVE_INFINITY)
      );
    const limit = at_least === undefined ? `at most ${at_most}` : `at least ${at_least}`;
    return isBeyond ? [`${name}: ${value}, ${limit}`] : [];
  });
  if (!IS_SHORT) {
    faults.forEach((fault) => say(`exceeded: ${fault}`));
  }
  say(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === "number" ? Number(value.toPrecision(4)) : value,
    ),
  );
  return IS_SHORT || faults.length === 0 ? 0 : 1;
}

export interface Bar {
  readonly name: string;
  readonly value: number;
}

const ROW_PX = 28;
const NAME_PX = 230;
const BAR_PX = 420;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws bars into `bench/charts/<name>.svg`; not in the short form. */
export function chart(name: string, title: string, bars: readonly Bar[]): void {
  if (IS_SHORT) {
    return;
  }
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name: label, value }, at) => {
    const y = 40 + at * ROW_PX;
    const width = Math.max(1, Math.round((value / most) * BAR_PX));
    const shown = Number(value.toPrecision(3)).toLocaleString("en");
    return `<text x="${NAME_PX - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>
<rect x="${NAME_PX}" y="${y}" width="${width}" height="20" fill="${at === 0 ? "#c1272d" : "#8a8f98"}"/>
<text x="${NAME_PX + width + 6}" y="${y + 15}">${shown}</text>`;
  });
  const height = 56 + bars.length * ROW_PX;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="${height}" font-family="sans-serif" font-size="13">
<rect width="760" height="${height}" fill="#fff"/>
<text x="12" y="22" font-size="15">${escaped(title)}</text>
${rows.join("\n")}
</svg>
`;
  writeFileSync(path.join(ROOT, "bench/charts", `${name}.svg`), svg);
}
