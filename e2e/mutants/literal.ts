/** What stands in the product's sources and may be changed: one text, number or code of one line. */
import { readFileSync } from "node:fs";

export interface Literal {
  /** Path from the root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Where in the line it begins, from 0. */
  readonly column: number;
  /** As it is written in the source, without quotes. */
  readonly text: string;
}

export interface Mutant extends Literal {
  /** What stands there instead. */
  readonly after: string;
}

/** Every match of `pattern` in the file, as a literal: its first group, or the whole match. */
export function literalsOf(root: string, file: string, pattern: RegExp): Literal[] {
  const lines = readFileSync(`${root}/${file}`, "utf8").split("\n");
  return lines.flatMap((content, index) =>
    [...content.matchAll(new RegExp(pattern, "dg"))].flatMap((match) => {
      const [start] = match.indices?.[1] ?? match.indices?.[0] ?? [0];
      const text = match[1] ?? match[0];
      return [{ file, line: index + 1, column: start, text }];
    }),
  );
}

/** The file's content with the mutant in it. Throws when the literal is not where it was found. */
export function changed(content: string, { line, column, text, after }: Mutant): string {
  const lines = content.split("\n");
  const old = lines[line - 1] ?? "";
  if (old.slice(column, column + text.length) !== text) {
    throw new Error(`line ${line} is not what it was: ${old}`);
  }
  lines[line - 1] = old.slice(0, column) + after + old.slice(column + text.length);
  return lines.join("\n");
}

/** Places of a text that are its own: neither blank nor part of a placeholder or an escape. */
function ownPlaces(text: string): number[] {
  const covered = [...text.matchAll(/\{\w+\}|\\./g)].map(({ index, 0: part }) => ({
    from: index,
    to: index + part.length,
  }));
  return Array.from(text, (_, at) => at).filter(
    (at) =>
      /[\p{L}\p{N}]/u.test(text.charAt(at)) &&
      covered.every(({ from, to }) => at < from || at >= to),
  );
}

/** The text with one character replaced, which `next` chooses; null when there is none to replace. */
export function otherText(text: string, next: () => number): string | null {
  const places = ownPlaces(text);
  const at = places[Math.floor(next() * places.length)];
  if (at === undefined) {
    return null;
  }
  const old = text.charAt(at);
  const other = /[a-z0-9]/i.test(old) ? (old === "q" ? "k" : "q") : old === "某" ? "甲" : "某";
  return text.slice(0, at) + other + text.slice(at + 1);
}
