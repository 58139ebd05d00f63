/** Breaks each rule of imports in a copy of the tree, expects the linter to report it, and checks each rule's reach. */
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
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installed, ROOT, runCommand } from "./run-command.ts";

const CONFIG = "oxlint.config.mjs";
const IMPORTS = "no-restricted-imports";

interface LintConfig {
  overrides: { files: string[]; rules: Record<string, unknown> }[];
}

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true });
  }
});

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-boundaries-"));
  folders.push(folder);
  return folder;
}

async function lint(folder: string): Promise<Diagnostic[]> {
  const words = ["-c", CONFIG, "--format=json"];
  const { output } = await runCommand(installed("oxlint"), words, { cwd: folder });
  return (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics;
}

/** The server's rooms above `tables`, from bottom to top. */
const ROOMS = [
  "platform",
  "identity",
  "rounds",
  "players",
  "draws",
  "payouts",
  "records",
  "finance",
  "evidence",
  "hooks",
  "demo",
  "ops",
] as const;

/** The console's parts, and which of them each may import. */
const PARTS = ["app", "features", "forms", "lib", "players", "records", "rounds", "stops", "ui"];
const CONSOLE: Readonly<Record<string, readonly string[]>> = {
  app: PARTS,
  "features/prize": ["forms", "lib", "players", "records", "rounds", "stops", "ui"],
  forms: ["lib", "ui"],
  rounds: ["lib", "ui"],
  players: ["forms", "lib", "ui"],
  stops: ["forms", "lib", "ui"],
  records: ["forms", "lib", "players", "rounds", "ui"],
  lib: [],
  ui: [],
};

/** For each place: forbidden and allowed imports. */
const RULES: readonly [file: string, forbidden: readonly string[], allowed: readonly string[]][] = [
  [
    "packages/contract/src/x.ts",
    ["@red/engine/odds", "@red/server/x", "node:fs", "pg", "zone", "#rounds/x", "../x.ts"],
    ["zod", "zod/mini", "./money.ts"],
  ],
  [
    "packages/engine/src/x.ts",
    ["node:fs", "zod", "@red/server/x", "@red/console/x", "@scope/x", "#rounds/x", "../x.ts"],
    ["@red/contract/money", "./odds.ts"],
  ],
  [
    "packages/server/src/x.ts",
    ["#ops/x", "#test/x", "@red/console/x", "@red/demo/x", "../x.ts"],
    ["#demo/x", "#draws/x", "#platform/x", "@red/engine/odds", "pino"],
  ],
  [
    "packages/server/src/tables/x.ts",
    ["#platform/x", "#rounds/x", "#ops/x", "#test/x", "kysely", "pg", "fastify", "../x.ts"],
    ["@red/contract/errors", "node:zlib", "yazl", "./x.ts"],
  ],
  ...ROOMS.map(
    (room, at): [file: string, forbidden: readonly string[], allowed: readonly string[]] => [
      `packages/server/src/${room}/x.ts`,
      [
        ...ROOMS.slice(at + 1).map((above) => `#${above}/x`),
        ...(room === "ops" ? [] : ["@red/wallet-check/x"]),
        "@red/fault-wallet/x",
        "#app",
        "#test/x",
        "../x.ts",
      ],
      [
        ...ROOMS.slice(0, at + 1).map((below) => `#${below}/x`),
        ...(room === "ops" ? ["@red/wallet-check/x"] : []),
        "#tables/x",
        "@red/engine/odds",
      ],
    ],
  ),
  [
    "packages/console/src/x.tsx",
    ["#test/x", "node:fs", "@red/server/x", "@red/demo/x", "../x.ts"],
    ["#app/router.tsx", "#features/x", "react"],
  ],
  ...Object.entries(CONSOLE).map(
    ([part, below]): [file: string, forbidden: readonly string[], allowed: readonly string[]] => [
      `packages/console/src/${part}/x.tsx`,
      [
        ...PARTS.filter((other) => !below.includes(other)).map((other) => `#${other}/x`),
        part === "ui" ? "@red/engine/odds" : "dayjs",
        "#test/x",
        "node:fs",
        "@red/server/x",
        "../x.ts",
      ],
      [
        ...below.map((other) => `#${other}/x`),
        part === "ui" ? "dayjs" : "@red/engine/odds",
        "@red/contract/prize",
        "antd",
        "./x.ts",
      ],
    ],
  ),
  [
    "packages/demo/src/x.ts",
    ["@red/server/x", "@red/engine/odds", "@red/fault-wallet/x", "#rounds/x", "../x.ts"],
    ["@red/contract/signing", "node:http", "./x.ts"],
  ],
  [
    "packages/wallet-check/src/x.ts",
    ["@red/server/x", "@red/demo/x", "@red/fault-wallet/x", "#rounds/x", "../x.ts"],
    ["@red/contract/signing", "node:http", "./x.ts"],
  ],
  [
    "packages/fault-wallet/src/x.ts",
    ["@red/server/x", "@red/engine/odds", "@red/wallet-check/x", "#rounds/x", "../x.ts"],
    ["@red/contract/signing", "@red/demo/environment", "node:http", "./x.ts"],
  ],
  [
    "e2e/x.ts",
    ["@red/server/x", "@red/console/x", "../packages/server/src/x.ts", "../../packages/x.ts"],
    ["@red/contract/money", "../tools/run-command.ts", "@playwright/test"],
  ],
  [
    "packages/contract/src/x.test.ts",
    ["@red/engine/odds", "#rounds/x", "#tables/x", "../x.ts"],
    ["vitest", "#test/x"],
  ],
  [
    "packages/engine/src/x.test.ts",
    ["@red/server/x", "#rounds/x", "../x.ts"],
    ["vitest", "fast-check", "@red/contract/money"],
  ],
  [
    "packages/server/src/draws/x.test.ts",
    ["@red/console/x", "@red/demo/x", "../x.ts"],
    ["#test/test-db", "#ops/x", "#app", "vitest"],
  ],
  ["packages/server/test/x.ts", ["@red/demo/x", "../src/x.ts"], ["#ops/x", "#app", "vitest"]],
  [
    "packages/console/src/features/prize/x.test.tsx",
    ["@red/server/x", "@red/demo/x", "../x.ts"],
    ["#app/router.tsx", "#test/operator.ts", "vitest", "node:fs"],
  ],
  [
    "packages/demo/src/x.test.ts",
    ["@red/server/x", "@red/engine/odds", "#rounds/x", "../x.ts"],
    ["vitest", "@red/contract/signing"],
  ],
];

/** Rules about other code: a line, and where it is refused and accepted. */
const LINES: readonly [line: string, code: string, refused: string, fine: string][] = [
  [
    "export const x = Math.random();",
    "eslint(no-restricted-properties)",
    "packages/engine/src/r.ts",
    "packages/console/src/ui/r.ts",
  ],
  [
    "export const x = Math.random();",
    "eslint(no-restricted-properties)",
    "packages/server/src/draws/r.ts",
    "packages/demo/src/r.ts",
  ],
  [
    "export const x = process.env;",
    "node(no-process-env)",
    "packages/server/src/payouts/e.ts",
    "packages/server/src/platform/config.ts",
  ],
  ["console.log(1);", "eslint(no-console)", "packages/server/src/identity/c.ts", "tools/c.ts"],
  [
    "export default 1;",
    "import(no-default-export)",
    "packages/contract/src/d.ts",
    "packages/console/vite.config.ts",
  ],
  ["export const x = 1;", "unicorn(filename-case)", "tools/badName.ts", "tools/good-name.ts"],
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

/** A separate probe for each specifier: `x-3.test.ts`. */
function probeName(file: string, index: number): string {
  const [stem = "", ...endings] = path.basename(file).split(".");
  return path.join(path.dirname(file), [`${stem}-${index}`, ...endings].join("."));
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** Codes reported for a file, with repetitions. */
function codesOf(diagnostics: readonly Diagnostic[], file: string): string[] {
  return diagnostics.filter((one) => one.filename === file).map((one) => one.code);
}

describe("rules of imports", () => {
  let diagnostics: Diagnostic[] = [];

  beforeAll(async () => {
    const folder = makeFolder();
    cpSync(path.join(ROOT, CONFIG), path.join(folder, CONFIG));
    for (const [file, forbidden, allowed] of RULES) {
      for (const [index, specifier] of [...forbidden, ...allowed].entries()) {
        write(folder, probeName(file, index), importing(specifier));
      }
    }
    for (const [line, , refused, fine] of LINES) {
      write(folder, refused, `${line}\n`);
      write(folder, fine, `${line}\n`);
    }
    diagnostics = await lint(folder);
  });

  it.each(RULES)("of %s refuse what is forbidden, in every form of import", (file, forbidden) => {
    for (const [index, specifier] of forbidden.entries()) {
      const codes = codesOf(diagnostics, probeName(file, index));
      expect(codes, specifier).toEqual(Array(WAYS).fill(`eslint(${IMPORTS})`));
    }
  });

  it.each(RULES)("of %s accept what is allowed", (file, forbidden, allowed) => {
    for (const [index, specifier] of allowed.entries()) {
      const codes = codesOf(diagnostics, probeName(file, forbidden.length + index));
      expect(codes, specifier).toEqual([]);
    }
  });

  it.each(LINES)("refuse %s by %s in %s, but not in %s", (_line, code, refused, fine) => {
    expect(codesOf(diagnostics, refused)).toEqual([code]);
    expect(codesOf(diagnostics, fine)).toEqual([]);
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

describe("reach of the rules", () => {
  it("covers every file that imports something, and no rule is without files", async () => {
    const folder = makeFolder();
    const skip = /node_modules|\/dist(\/|$)/;
    for (const part of ["packages", "e2e"]) {
      cpSync(path.join(ROOT, part), path.join(folder, part), {
        recursive: true,
        filter: (source) => !skip.test(path.relative(ROOT, source)),
      });
    }
    // Each rule is changed to refuse all imports and to report its number, so that the linter itself shows which rule
    // reaches which file.
    const file = pathToFileURL(path.join(ROOT, CONFIG)).href;
    const { overrides } = ((await import(file)) as { default: LintConfig }).default;
    const rules = overrides.filter((override) => IMPORTS in override.rules);
    expect(rules.length).toBeGreaterThan(15);
    const marked = rules.map((override, index) => ({
      ...override,
      rules: { [IMPORTS]: ["error", { patterns: [{ regex: "", message: `rule ${index}` }] }] },
    }));
    const config = { categories: { correctness: "off" }, overrides: marked };
    writeFileSync(path.join(folder, CONFIG), `export default ${JSON.stringify(config)};`);
    const reached = await lint(folder);

    const numbers = new Set(reached.map((one) => Number(/rule (\d+)/.exec(one.help ?? "")?.[1])));
    const idle = rules.filter((_rule, index) => !numbers.has(index));
    expect(idle.flatMap((rule) => rule.files)).toEqual([]);

    const covered = new Set(reached.map((one) => one.filename));
    const sources = readdirSync(path.join(folder, "packages"), { recursive: true })
      .map((name) => `packages/${String(name)}`)
      .filter((name) => /\/(src|test)\/.*\.tsx?$/.test(name));
    expect(sources.length).toBeGreaterThan(50);
    const importers = sources.filter((name) =>
      /^import /m.test(readFileSync(path.join(folder, name), "utf8")),
    );
    expect(importers.filter((name) => !covered.has(name))).toEqual([]);
  });
});
