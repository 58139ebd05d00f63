/** The operators' guide matches the console: its pictures exist, and its words are the console's. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { guideHtml } from "../packages/console/guide-page.ts";
import { ROOT } from "./run-command.ts";

const FOLDER = path.join(ROOT, "docs/guide");
const PICTURES = path.join(FOLDER, "pictures");
const BYTES_MAX = 3_000_000;

const guide = readFileSync(path.join(FOLDER, "README.md"), "utf8");

/** Every text of the console and of the contract. */
function texts(): Set<string> {
  const folders = ["packages/console/src", "packages/contract/src"];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /(?:texts|room|field-labels)\.ts$/.test(name))
      .map((name) => path.join(ROOT, folder, name)),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text),
  );
  return new Set(found);
}

describe("the operators' guide", () => {
  test("shows exactly the existing pictures", () => {
    const shown = [...guide.matchAll(/\(pictures\/([\w-]+\.png)\)/g)].map(([, name = ""]) => name);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.toSorted()).toEqual(readdirSync(PICTURES).toSorted());
  });

  test("has small picture files", () => {
    const sizes = readdirSync(PICTURES).map((name) => statSync(path.join(PICTURES, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
  });

  test("names buttons and labels like the console", () => {
    const known = texts();
    const named = [...guide.matchAll(/[【「]([^】」]+)[】」]/g)].map(([, name = ""]) =>
      name.trim(),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => name !== "" && !known.has(name))).toEqual([]);
  });

  test("links to all of its own pages and nowhere else", () => {
    const page = guideHtml(guide);
    const parts = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = ""]) => href);
    const within = links.filter((href) => href.startsWith("#"));
    expect(within.length).toBeGreaterThan(8);
    expect(within.filter((href) => !parts.includes(decodeURI(href.slice(1))))).toEqual([]);
    expect(links.filter((href) => !href.startsWith("#"))).toEqual(["data:,"]);
    expect(page).toContain("operations.md");
    expect(page).toContain('src="pictures/sign-in.png"');
  });
});
