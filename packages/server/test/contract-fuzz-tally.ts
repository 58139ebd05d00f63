/** How made-up calls were answered: by operation, by status and by code. */
import { mediaTypeOf } from "#test/contract-openapi";
import type { JudgedAnswer, Operation } from "#test/contract-openapi";

/** Status and code of an answer; a file has no code, and what has none in its body did what it is for. */
function kindOf(answer: JudgedAnswer): string {
  const isJson = mediaTypeOf(answer).endsWith("json") && answer.bytes.length > 0;
  const body: unknown = isJson ? JSON.parse(answer.bytes.toString("utf8")) : null;
  const hasCode = typeof body === "object" && body !== null && "code" in body;
  return `${answer.status} ${hasCode ? String(body.code) : "done"}`;
}

/** Kinds of answers of an operation that did what it is there for. */
const DONE = /^(?:200 (?:200|0|402|407|done)|201 done)$/;

export interface Tally {
  add(one: Operation | null, answer: JudgedAnswer): void;
  /** Operations that were reached, or carried out, fewer times than this. */
  reachedLess(than: number): string[];
  doneLess(than: number): string[];
  /** Lines for a reader: each operation with its kinds of answers, then all kinds together. */
  lines(): string[];
  readonly done: number;
}

type Kinds = Map<string, number>;

const NOTHING = "(no operation)";

function sumOf(kinds: Kinds, isCounted: (kind: string) => boolean = () => true): number {
  return [...kinds].reduce((sum, [kind, count]) => (isCounted(kind) ? sum + count : sum), 0);
}

function shown(kinds: Kinds): string {
  return [...kinds]
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${kind} × ${count}`)
    .join(", ");
}

/** Counts answers of these operations. */
export function newTally(operations: readonly Operation[]): Tally {
  const names = operations.map(({ operationId }) => operationId);
  const kinds = new Map<string, Kinds>([...names, NOTHING].map((name) => [name, new Map()]));
  const all: Kinds = new Map();
  const less = (than: number, isCounted?: (kind: string) => boolean) =>
    names.filter((name) => sumOf(kinds.get(name) ?? new Map(), isCounted) < than);
  return {
    add(one, answer) {
      const kind = kindOf(answer);
      const own = kinds.get(one?.operationId ?? NOTHING);
      own?.set(kind, (own.get(kind) ?? 0) + 1);
      all.set(kind, (all.get(kind) ?? 0) + 1);
    },
    reachedLess: (than) => less(than),
    doneLess: (than) => less(than, (kind) => DONE.test(kind)),
    lines: () => [
      ...[...kinds].map(([name, own]) => {
        const done = sumOf(own, (kind) => DONE.test(kind));
        return `${name}: ${sumOf(own)} answers, ${done} done (${shown(own)})`;
      }),
      `all: ${shown(all)}`,
    ],
    get done() {
      return sumOf(all, (kind) => DONE.test(kind));
    },
  };
}
