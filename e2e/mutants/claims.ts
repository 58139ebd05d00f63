/**
 * Which literals of the product the facts claim. A literal is claimed when a fact that can be missed
 * expects it on a screen that its file serves. It is left out where the same could be shown from
 * elsewhere: then nobody can say beforehand which of the two a fact has seen.
 */
import { readdirSync } from "node:fs";
import type { Fact } from "../facts/fact.ts";
import { NEGATIVE } from "../facts/kinds.ts";
import { codeClaims } from "./codes.ts";
import { literalsOf } from "./literal.ts";
import type { Literal } from "./literal.ts";

export interface Claim {
  readonly literal: Literal;
  /** Facts of which at least one must be missed when the literal changes. */
  readonly facts: readonly Fact[];
  /** What it may be instead; null: one character is changed. */
  readonly after: string | null;
}

/** Screens of facts that are served by a folder or file of the console, and by nothing else first. */
const SERVES: readonly (readonly [place: string, screens: readonly string[]])[] = [
  ["packages/console/src/app/", ["shell", "settings", "error pages", "guard"]],
  ["packages/console/src/features/login/", ["login"]],
  ["packages/console/src/features/activity/", ["activities", "activity editor"]],
  ["packages/console/src/features/prize/", ["prizes", "prize dialog", "import"]],
  ["packages/console/src/features/query/", ["query"]],
  ["packages/console/src/features/player/", ["players"]],
  ["packages/console/src/dialogs/record-", ["records", "query"]],
  ["packages/console/src/dialogs/event-", ["events"]],
  ["packages/console/src/dialogs/draw-info-", ["players", "events", "records"]],
  ["packages/console/src/dialogs/extra-times-", ["extra times"]],
];
/** These serve every screen whose own texts do not have it. */
const EVERYWHERE = ["packages/console/src/ui/", "packages/console/src/lib/", "packages/contract/"];
const CATALOGUE_LINE = /^\s*(?:\w+:\s*)?"((?:[^"\\]|\\.)+)",?$/;

function cataloguesOf(root: string): string[] {
  return ["packages/console/src", "packages/contract/src"].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /texts(?:-zh)?\.ts$/.test(name) && !name.endsWith("texts-en.ts"))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
}

/** The literals of a catalogue in the language that the facts are read in. */
function textsOf(root: string, file: string): Literal[] {
  const [end] = literalsOf(root, file, /^\s*(?:const en\b|en: \{)/);
  return literalsOf(root, file, CATALOGUE_LINE).filter(
    ({ line }) => end === undefined || line < end.line,
  );
}

/** Everything that a fact expects to read, each for itself. */
function partsOf({ kind, target, expected }: Fact): string[] {
  const parts = kind === "title" ? expected.split(" - ") : expected.split("|");
  return kind === "definition" ? [...parts, target] : parts;
}

function patternOf(text: string): RegExp | null {
  const pieces = text
    .split(/\{\w+\}/)
    .map((piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return pieces.every((piece) => piece.trim() === "") ? null : new RegExp(`^${pieces.join(".+")}$`);
}

/** 2: the file is the screen's own; 1: it serves every screen; 0: it is never seen there. */
function nearness(file: string, { screen, kind }: Fact): number {
  // The title of the document is the shell's work on every screen.
  if (kind === "title") {
    return file.startsWith("packages/console/src/app/") ? 2 : 0;
  }
  const own = SERVES.some(([place, screens]) => file.startsWith(place) && screens.includes(screen));
  return own ? 2 : EVERYWHERE.some((place) => file.startsWith(place)) ? 1 : 0;
}

/** Facts by the one text that they can come from; `doubled` counts texts that have a double. */
function textClaims(root: string, facts: readonly Fact[]) {
  const texts = cataloguesOf(root).flatMap((file) =>
    textsOf(root, file).map((literal) => ({ literal, pattern: patternOf(literal.text) })),
  );
  const claimed = new Map<Literal, Fact[]>();
  const doubled = new Set<Literal>();
  for (const fact of facts) {
    for (const part of partsOf(fact)) {
      const sources = texts
        .filter(({ pattern }) => pattern?.test(part) === true)
        .map(({ literal }) => ({ literal, near: nearness(literal.file, fact) }))
        .filter(({ near }) => near > 0);
      const best = Math.max(...sources.map(({ near }) => near));
      const nearest = sources.filter(({ near }) => near === best).map(({ literal }) => literal);
      const [only] = nearest;
      if (only !== undefined && nearest.length === 1) {
        claimed.set(only, [...new Set([...(claimed.get(only) ?? []), fact])]);
      } else {
        nearest.forEach((literal) => doubled.add(literal));
      }
    }
  }
  const claims = [...claimed].map(([literal, its]) => ({ literal, facts: its, after: null }));
  return { claims, doubled: [...doubled].filter((literal) => !claimed.has(literal)).length };
}

/** All that may be changed, in the order of the files; and how many texts were left out as doubles. */
export function findClaims(
  root: string,
  all: readonly Fact[],
): { claims: readonly Claim[]; doubled: number } {
  const facts = all.filter(({ kind }) => !NEGATIVE.has(kind));
  const { claims, doubled } = textClaims(root, facts);
  return { claims: [...claims, ...codeClaims(root, facts)], doubled };
}
