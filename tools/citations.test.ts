/** Code cites docs/behaviour.md by number: the numbers are there, and none of them has gone astray. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./run-command.ts";

const BEHAVIOUR = "docs/behaviour.md";

/** What each section is about; a citation means this, whatever becomes of the section's words. */
const SECTIONS = [
  "On the wire",
  "The parts",
  "Things and their rules",
  "Chances",
  "Draws",
  "Payouts",
  "Demonstration",
  "Texts",
  "Security, and where the specification is made right",
  "Words",
  "Names that the calls use",
  "The prize file",
  "A week of operation",
];

/** Sections that lead a reader and hold no rule. */
const READING = [2, 10];

/** The specification that the product was ordered by has as many. */
const SPEC_SECTIONS = 9;

interface Citation {
  readonly where: string;
  readonly section: number;
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

const SKIPPED = new Set(["node_modules", "dist", "data", "test-results"]);

/** Files that may cite, below a folder of the repository. */
function citingFiles(folder = ""): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && !SKIPPED.has(name))
    .flatMap((entry) => {
      const name = path.join(folder, entry.name);
      return entry.isDirectory() ? citingFiles(name) : [name];
    })
    .filter((name) => /\.(?:ts|tsx|mjs|sql|css|md)$/.test(name))
    .filter((name) => name !== "tools/citations.test.ts");
}

/** Every number after a name, in lists and ranges too: `behaviour §3 to §6`, `spec §2–§5`, `§1 and §9`. */
function citationsIn(file: string, text: string, of: string): Citation[] {
  const list = new RegExp(`${of} ((?:§\\d+(?:, §| and §|; §| to §|–§)?)+\\d*)`, "g");
  // A comment may break the line between the name and the number.
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, " ");
  return [...flat.matchAll(list)].flatMap(([, numbers = ""]) =>
    [...numbers.matchAll(/\d+/g)].map(([number]) => ({ where: file, section: Number(number) })),
  );
}

function citations(of: string): Citation[] {
  return citingFiles().flatMap((file) => citationsIn(file, textOf(file), of));
}

describe("docs/behaviour.md", () => {
  const headings = [...textOf(BEHAVIOUR).matchAll(/^## (\d+)\. (.+)$/gm)];

  test("has these sections under these numbers, and something in each", () => {
    expect(headings.map(([, number, title]) => `${number}. ${title}`)).toEqual(
      SECTIONS.map((title, at) => `${at + 1}. ${title}`),
    );
    const bodies = textOf(BEHAVIOUR)
      .split(/^## .+$/m)
      .slice(1);
    expect(bodies.filter((body) => body.trim() === "")).toEqual([]);
  });

  test("is cited by numbers that it has, also by itself", () => {
    const cited = citations("behaviour");
    const inside = [...textOf(BEHAVIOUR).matchAll(/(?<!spec )§(\d+)/g)];
    const own = inside.map(([, number]) => ({ where: BEHAVIOUR, section: Number(number) }));
    const astray = [...cited, ...own].filter(
      ({ section }) => section < 1 || section > SECTIONS.length,
    );
    expect(astray).toEqual([]);
    expect(cited.length).toBeGreaterThan(150);
  });

  test("has no rule that no code cites", () => {
    const cited = new Set(citations("behaviour").map(({ section }) => section));
    const rules = SECTIONS.map((_, at) => at + 1).filter((section) => !READING.includes(section));
    expect(rules.filter((section) => !cited.has(section))).toEqual([]);
  });
});

test("the specification is cited by numbers that it has", () => {
  const cited = citations("spec");
  expect(cited.filter(({ section }) => section < 1 || section > SPEC_SECTIONS)).toEqual([]);
  expect(cited.length).toBeGreaterThan(100);
});

test("a citation is read in a list, in a range and over the end of a line", () => {
  const text = "behaviour §3 to §6; spec §9, behaviour §1, §12\n * behaviour\n * §7 and §8";
  const read = citationsIn("x", text, "behaviour").map(({ section }) => section);
  expect(read).toEqual([3, 6, 1, 12, 7, 8]);
});
