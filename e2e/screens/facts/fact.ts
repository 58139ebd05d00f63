/** The facts of the specification, one in a line of spec-facts.tsv. */
import { readFileSync } from "node:fs";

export interface Fact {
  /** Line of the file, by which a reader finds it. */
  readonly line: number;
  /** Section of the specification. */
  readonly section: string;
  /** What the specification says, in short. */
  readonly fact: string;
  readonly screen: string;
  /** What the screen is in when the fact shows; see the states of its screen. */
  readonly state: string;
  /** How it is looked for; see kinds.ts. */
  readonly kind: string;
  /** Where; what it means depends on the kind, and it may be empty. */
  readonly target: string;
  readonly expected: string;
}

const HEADER = "section\tfact\tscreen\tstate\tkind\ttarget\texpected";

/** Reads the file. Throws on a line that is not of its form, and on a line that stands twice. */
export function readFacts(file: string): Fact[] {
  const [header, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  if (header !== HEADER) {
    throw new Error(`${file} has to begin with: ${HEADER}`);
  }
  const seen = new Set<string>();
  return lines.map((text, index) => {
    const line = index + 2;
    const cells = text.split("\t");
    const [section = "", fact = "", screen = "", state = "", kind = "", target = ""] = cells;
    const expected = cells[6] ?? "";
    const asked = [screen, state, kind, target, expected].join("\t");
    if (cells.length !== 7 || section === "" || expected === "" || seen.has(asked)) {
      throw new Error(`line ${line} of ${file} is no new fact: ${text}`);
    }
    seen.add(asked);
    return { line, section, fact, screen, state, kind, target, expected };
  });
}
