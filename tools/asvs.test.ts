/** Each item of OWASP ASVS 5.0, level 1 or 2, has one row in docs/asvs.md; its tests and settings exist. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./run-command.ts";

/** Levels of the items, in order: a stroke ends a chapter, a blank a section. */
const LEVELS = `22 1111122223 112222222223 222 123/122 112 12223 23/3 113 12223 11222233 11122333 3 22333/
12233 23333 22 1222/2 112333 113 222/122 111111112222 11223333 112233 22222333 2223 33 2222/
222 1111 22 11222 223 22/1233 1123 133 23/111 1222/22 223 22223 1111122222233333 22222 22 222/
2233 22233 11233 1222 23 23 33/12233 11 22223/2333 222223 2233 1222233/22 12223333 122/
12233 12233 1222222 3333/2 22222 2222 222 2223/23 22223333 22`;

const LEVEL_OF = new Map<string, string>(
  LEVELS.split(/\/\s*/).flatMap((chapter, c) =>
    chapter
      .split(" ")
      .flatMap((section, s) =>
        Array.from(section, (level, i) => [`${c + 1}.${s + 1}.${i + 1}`, level] as const),
      ),
  ),
);
const IDS = [...LEVEL_OF.keys()].filter((id) => LEVEL_OF.get(id) !== "3");

function read(file: string): string {
  const full = path.join(ROOT, file);
  return existsSync(full) ? readFileSync(full, "utf8") : "";
}

const ROW = /^\| (\d[\d.]+)(?:–([\d.]+))? \| ([12, ]+) \| (.+) \|$/gm;
const ROWS = Array.from(
  read("docs/asvs.md").matchAll(ROW),
  ([, first = "", last = first, levels = "", how = ""]) => {
    const ids = IDS.slice(IDS.indexOf(first), IDS.indexOf(last) + 1);
    return { first, ids, levels, evidence: how.split("; ").filter((one) => /^\w+: /.test(one)) };
  },
);

function isThere(evidence: string): boolean {
  const [, kind, place = "", part = ""] = /^(\w+): (.+?)(?: › (.+))?$/.exec(evidence) ?? [];
  const lines = read(place).split("\n");
  if (kind === "setting") {
    const isVariable = new RegExp(`^#?${place}=`, "m").test(read(".env.example"));
    return part === "" ? isVariable : lines.some((line) => /^#+ (.+)/.exec(line)?.[1] === part);
  }
  const isTitle = (line: string) => /["`].*/.exec(line)?.[0].includes(part) === true;
  const isTest = part !== "" && /\.(?:test|spec)\.tsx?$/.test(place) && lines.some(isTitle);
  return kind === "test" ? isTest : kind === "reason";
}

it("has one row for each of the 253 items, under its level, and no other row", () => {
  expect(IDS).toHaveLength(253);
  expect(ROWS.flatMap(({ ids }) => ids)).toEqual(IDS);
  for (const { first, ids, levels } of ROWS) {
    const own = new Set(ids.map((id) => LEVEL_OF.get(id) ?? ""));
    expect([...own].toSorted().join(", "), first).toBe(levels);
  }
});

it.each(ROWS)("$first has a test, a setting or a reason, which is there", ({ evidence }) => {
  expect(evidence).not.toEqual([]);
  expect(evidence.filter((one) => !isThere(one))).toEqual([]);
});
