/** Claims of the acceptance run: one line each; the run fails when one does not hold. */
import { isDeepStrictEqual } from "node:util";

let held = 0;
let broken = 0;

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? `${part}` : part,
  );
  return text === undefined ? "undefined" : text.slice(0, 600);
}

/** Prints `ok` or `not ok`; a failed claim also prints `why`. */
export function claim(what: string, holds: boolean, why: unknown = ""): boolean {
  if (holds) {
    held += 1;
    process.stdout.write(`ok ${what}\n`);
  } else {
    broken += 1;
    process.stdout.write(`not ok ${what}: ${typeof why === "string" ? why : shown(why)}\n`);
  }
  return holds;
}

/** How many claims did not hold so far. */
export const brokenSoFar = () => broken;

/** Claims that `seen` is deeply equal to `expected`. */
export function claimEqual(what: string, seen: unknown, expected: unknown): boolean {
  const why = `expected ${shown(expected)}, saw ${shown(seen)}`;
  return claim(what, isDeepStrictEqual(seen, expected), why);
}

/** Runs one part; an error is a failed claim. True when the part finished. */
export async function part(what: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    claim(`${what} comes to its end`, false, `${why.split("\n").slice(0, 4).join(" | ")}${cause}`);
    return false;
  }
}

export function verdict(): 0 | 1 {
  process.stdout.write(`${held} ok, ${broken} not ok\n`);
  return broken === 0 && held > 0 ? 0 : 1;
}
