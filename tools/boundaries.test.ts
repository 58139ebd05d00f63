/** Breaks each rule of imports in a folder of its own and expects the linter to report it; the tree has what they allow. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import house from "./rooms.json" with { type: "json" };
import { installed, ROOT, runCommand } from "./run-command.ts";

const CONFIG = "oxlint.config.mjs";

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

const inRoom = (room: string): string => `#${room}/x`;

/** Of each package the rooms from bottom to top, and what none of them may import. */
const HOUSE: readonly [name: "contract" | "server" | "console", never: readonly string[]][] = [
  ["contract", ["@red/engine/odds", "node:fs", "pg"]],
  ["server", ["#app", "@red/fault-wallet/x", "@red/demo/x"]],
  ["console", ["#app/x.tsx", "node:fs", "@red/server/x"]],
];

/** For each place, imports that it may not have; `../x.ts` besides. */
const RULES: readonly [file: string, forbidden: readonly string[]][] = [
  ["packages/contract/src/x.ts", ["@red/engine/odds", "@red/server/x", "node:fs", "pg", "zone"]],
  [
    "packages/engine/src/x.ts",
    ["node:fs", "zod", "@red/server/x", "@red/console/x", "@scope/x", "#rounds/x"],
  ],
  ["packages/server/src/x.ts", ["#ops/x", "#test/x", "@red/console/x", "@red/demo/x"]],
  ["packages/server/src/tables/x.ts", ["kysely", "pg", "fastify"]],
  ...HOUSE.flatMap(([name, never]) => {
    const all = [...house.kit[name], ...house.rooms];
    return all.map((room, at): [file: string, forbidden: readonly string[]] => [
      `packages/${name}/src/${room}/x.ts`,
      [...all.slice(at + 1).map(inRoom), ...never, "#test/x"],
    ]);
  }),
  ["packages/server/src/pools/x.ts", ["@red/wallet-check/x"]],
  ["packages/console/src/x.tsx", ["#test/x", "node:fs", "@red/server/x", "@red/demo/x"]],
  ["packages/console/src/app/x.tsx", ["#test/x", "node:fs", "@red/server/x", "dayjs"]],
  ["packages/console/src/lib/x.tsx", ["#ui/x", "#lib/x", "dayjs"]],
  ["packages/console/src/ui/x.tsx", ["#ui/x", "@red/engine/odds"]],
  [
    "packages/demo/src/x.ts",
    ["@red/server/x", "@red/engine/odds", "@red/fault-wallet/x", "#rounds/x"],
  ],
  [
    "packages/wallet-check/src/x.ts",
    ["@red/server/x", "@red/demo/x", "@red/fault-wallet/x", "#rounds/x"],
  ],
  [
    "packages/fault-wallet/src/x.ts",
    ["@red/server/x", "@red/engine/odds", "@red/wallet-check/x", "#rounds/x"],
  ],
  ["packages/contract/src/x.test.ts", ["@red/engine/odds"]],
  ["packages/engine/src/x.test.ts", ["@red/server/x", "#rounds/x"]],
  ["packages/server/src/draws/x.test.ts", ["@red/console/x", "@red/demo/x"]],
  ["packages/server/test/x.ts", ["@red/demo/x"]],
  ["packages/console/src/pools/x.test.tsx", ["@red/server/x", "@red/demo/x"]],
  ["packages/demo/src/x.test.ts", ["@red/server/x", "@red/engine/odds", "#rounds/x"]],
];

/** Other rules: a line, and a place where it is refused. */
const LINES: readonly [line: string, code: string, file: string][] = [
  [
    "export const x = Math.random();",
    "eslint(no-restricted-properties)",
    "packages/engine/src/r.ts",
  ],
  [
    "export const x = Math.random();",
    "eslint(no-restricted-properties)",
    "packages/server/src/draws/r.ts",
  ],
  ["export const x = process.env;", "node(no-process-env)", "packages/server/src/payouts/e.ts"],
  ["console.log(1);", "eslint(no-console)", "packages/server/src/identity/c.ts"],
  ['import "../packages/server/src/x.ts";', "eslint(no-restricted-imports)", "e2e/p.ts"],
  ['import "@red/server/x";', "eslint(no-restricted-imports)", "e2e/s.ts"],
];

/** All forms of import that a rule must catch. */
function importing(specifier: string): string {
  const name = JSON.stringify(specifier);
  return [
    `import { thing } from ${name};`,
    `import type { Kind } from ${name};`,
    `export type { Other } from ${name};`,
    `export const later = async (): Promise<Kind> => await import(${name});`,
    "export const own = thing;",
    "",
  ].join("\n");
}
const WAYS = 4;

/** A file for each specifier: `x-3.test.ts`. */
function probeName(file: string, index: number): string {
  const [stem = "", ...endings] = path.basename(file).split(".");
  return path.join(path.dirname(file), [`${stem}-${index}`, ...endings].join("."));
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

describe("the linter", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "red-boundaries-"));
  let diagnostics: readonly Diagnostic[] = [];

  beforeAll(async () => {
    for (const file of [CONFIG, "tools/rooms.json"]) {
      cpSync(path.join(ROOT, file), path.join(folder, file));
    }
    for (const [file, forbidden] of RULES) {
      for (const [index, specifier] of [...forbidden, "../x.ts"].entries()) {
        write(folder, probeName(file, index), importing(specifier));
      }
    }
    LINES.forEach(([line, , file]) => write(folder, file, `${line}\n`));
    const words = ["-c", CONFIG, "--format=json"];
    const { output } = await runCommand(installed("oxlint"), words, { cwd: folder });
    ({ diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const codesOf = (file: string): string[] =>
    diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);

  it.each(RULES)("refuses in %s what is forbidden, in every form of import", (file, forbidden) => {
    for (const [index, specifier] of [...forbidden, "../x.ts"].entries()) {
      const refused = Array(WAYS).fill("eslint(no-restricted-imports)");
      expect(codesOf(probeName(file, index)), specifier).toEqual(refused);
    }
  });

  it.each(LINES)("refuses %s by %s in %s", (_line, code, file) => {
    expect(codesOf(file)).toEqual([code]);
  });
});

describe("the house", () => {
  const roomsIn = (parent: string) =>
    readdirSync(path.join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

  it.each(HOUSE)("%s has rooms of the table alone, and paths for them in its order", (name) => {
    const parent = `packages/${name}`;
    const found = roomsIn(`${parent}/src`).filter((room) => room !== "app");
    const known = [...house.kit[name], ...house.rooms].filter((room) => found.includes(room));
    expect(found.toSorted()).toEqual(known.toSorted());
    const manifest = readFileSync(path.join(ROOT, parent, "package.json"), "utf8");
    const { imports } = JSON.parse(manifest) as { imports: Record<string, string> };
    const paths = Object.keys(imports).flatMap((key) => /^#(\w+)\/\*$/.exec(key)?.[1] ?? []);
    expect(paths.filter((room) => room !== "app" && room !== "test")).toEqual(known);
  });

  it("has stories by room", () => {
    const known = new Set([...house.rooms, "app"]);
    expect(roomsIn("e2e/stories").filter((room) => !known.has(room))).toEqual([]);
  });

  it("stands in ARCHITECTURE.md, in its order", () => {
    const text = readFileSync(path.join(ROOT, "ARCHITECTURE.md"), "utf8");
    const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, room]) => room);
    expect(named).toEqual([...house.rooms, "app"]);
  });
});

/** The server's rooms: kinds of files by name, and imports that they may not have. */
const LAYERS: readonly [kind: RegExp, without: RegExp][] = [
  [/(^|[/-])routes\.ts$/, /from "(kysely|pg)"/],
  [/-sql\.ts$/, /from "(fastify|@fastify\/.*)"/],
];

describe("layers of the server", () => {
  it.each(LAYERS)("%s files import nothing like %s", (kind, without) => {
    const source = path.join(ROOT, "packages/server/src");
    const files = readdirSync(source, { recursive: true })
      .map(String)
      .filter((name) => kind.test(name));
    expect(files.length).toBeGreaterThan(10);
    const breaking = files.filter((name) =>
      without.test(readFileSync(path.join(source, name), "utf8")),
    );
    expect(breaking).toEqual([]);
  });
});
