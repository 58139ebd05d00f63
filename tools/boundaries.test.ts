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
import { installed, ROOT, runCommand } from "./run-command.ts";

const CONFIG = "oxlint.config.mjs";

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** The server's rooms, from bottom to top. */
const BOTTOM_UP =
  "tables platform identity approvals rounds players draws payouts records finance evidence watch hooks demo ops";
const ROOMS = BOTTOM_UP.split(" ");

/** The console's parts, and which of them each may not import. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  app: [],
  "features/prize": ["app", "features"],
  forms: ["app", "features", "forms", "players", "records", "rounds", "stops"],
  rounds: ["app", "features", "players", "records", "rounds", "stops"],
  players: ["app", "features", "players", "records", "rounds", "stops"],
  stops: ["app", "features", "players", "records", "rounds", "stops"],
  records: ["app", "features", "records", "stops"],
  lib: ["app", "features", "forms", "lib", "players", "records", "rounds", "stops", "ui"],
  ui: ["app", "features", "forms", "lib", "players", "records", "rounds", "stops", "ui"],
};

const inRoom = (room: string): string => `#${room}/x`;

/** For each place, imports that it may not have; `../x.ts` besides. */
const RULES: readonly [file: string, forbidden: readonly string[]][] = [
  [
    "packages/contract/src/x.ts",
    ["@red/engine/odds", "@red/server/x", "node:fs", "pg", "zone", "#rounds/x"],
  ],
  [
    "packages/engine/src/x.ts",
    ["node:fs", "zod", "@red/server/x", "@red/console/x", "@scope/x", "#rounds/x"],
  ],
  ["packages/server/src/x.ts", ["#ops/x", "#test/x", "@red/console/x", "@red/demo/x"]],
  ["packages/server/src/tables/x.ts", ["kysely", "pg", "fastify"]],
  ...ROOMS.map((room, at): [file: string, forbidden: readonly string[]] => [
    `packages/server/src/${room}/x.ts`,
    [
      ...ROOMS.slice(at + 1).map(inRoom),
      ...(room === "ops" ? [] : ["@red/wallet-check/x"]),
      "@red/fault-wallet/x",
      "#app",
      "#test/x",
    ],
  ]),
  ["packages/console/src/x.tsx", ["#test/x", "node:fs", "@red/server/x", "@red/demo/x"]],
  ...Object.entries(PARTS).map(([part, above]): [file: string, forbidden: readonly string[]] => [
    `packages/console/src/${part}/x.tsx`,
    [
      ...above.map(inRoom),
      part === "ui" ? "@red/engine/odds" : "dayjs",
      "#test/x",
      "node:fs",
      "@red/server/x",
    ],
  ]),
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
  ["packages/contract/src/x.test.ts", ["@red/engine/odds", "#rounds/x", "#tables/x"]],
  ["packages/engine/src/x.test.ts", ["@red/server/x", "#rounds/x"]],
  ["packages/server/src/draws/x.test.ts", ["@red/console/x", "@red/demo/x"]],
  ["packages/server/test/x.ts", ["@red/demo/x"]],
  ["packages/console/src/features/prize/x.test.tsx", ["@red/server/x", "@red/demo/x"]],
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
    cpSync(path.join(ROOT, CONFIG), path.join(folder, CONFIG));
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

describe("folders", () => {
  it("are those that the rules name", () => {
    const foldersOf = (parent: string) =>
      readdirSync(path.join(ROOT, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    expect(foldersOf("packages/server/src").toSorted()).toEqual(ROOMS.toSorted());
    const parts = Object.keys(PARTS).map((part) => part.replace(/\/.*/, ""));
    expect(foldersOf("packages/console/src").toSorted()).toEqual(parts.toSorted());
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
