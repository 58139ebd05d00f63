/** The linter's rules. Who may import whom is a table here; `tools/boundaries.test.ts` breaks each line of it. */

import house from "./tools/rooms.json" with { type: "json" };

const PACKAGES = ["console", "demo", "engine", "fault-wallet", "server", "wallet-check"];

const without = (all, ...some) => all.filter((each) => !some.includes(each));
/** Other packages but `some`; a package's own files are named by `#` and `./`. */
const packagesBut = (...some) => `@red/(?:${without(PACKAGES, ...some).join("|")})/`;
const rooms = (...names) => `#(?:${names.join("|")})/`;

/** Imports from `files` that begin like one of `starts` are refused. */
function refuse(files, message, ...starts) {
  const regex = `^(?:${starts.join("|")})`;
  return {
    files: [files].flat(),
    rules: { "no-restricted-imports": ["error", { patterns: [{ regex, message }] }] },
  };
}

const boundary = (files, message, ...starts) => refuse(files, message, ...starts, "\\.\\./");
const off = (rule, ...files) => ({ files, rules: { [rule]: "off" } });

/** A package's rooms above its kit: none imports one above itself, and none what stands above all. */
function roomsOf(name, last, ...never) {
  const all = [...house.kit[name], ...house.rooms];
  return all.map((room, at) =>
    boundary(
      `packages/${name}/src/${room}/**`,
      `${room} imports no room that stands above it (tools/rooms.json), nor how the ${name} is put together`,
      last,
      rooms(...all.slice(at + 1), "test"),
      ...never,
    ),
  );
}

const BOUNDARIES = [
  ...roomsOf("contract", "@red/contract/", "[^.z#]|z[^o]|zo[^d]|zod[^/]"),
  boundary(
    "packages/contract/src/*.ts",
    "contract stands alone: it imports zod and its own files",
    "[^.#]",
    rooms("test"),
  ),
  boundary(
    "packages/engine/src/**",
    "engine is pure: it imports contract and its own files",
    `[^.@]|@[^r]|${packagesBut()}`,
  ),
  boundary(
    "packages/server/src/*.ts",
    "what puts the server together imports its rooms, but no command line, test, console or demo",
    rooms("ops", "test"),
    packagesBut("engine"),
  ),
  ...roomsOf("server", "#app$", packagesBut("engine")),
  boundary(
    "packages/server/src/tables/**",
    "tables knows formats of files, and nothing of the database or of calls",
    "#app$",
    rooms("platform", ...house.rooms, "test"),
    packagesBut("engine"),
    "kysely$|pg$|fastify$|@fastify/",
  ),
  boundary(
    "packages/server/src/ops/**",
    "ops imports the server and the wallet check",
    "#app$",
    rooms("test"),
    packagesBut("engine", "wallet-check"),
  ),
  boundary(
    ["packages/console/src/*.{ts,tsx}", "packages/console/src/app/**"],
    "the console reaches the server over the wire only",
    "node:|dayjs$",
    rooms("test"),
    packagesBut("engine"),
  ),
  ...roomsOf("console", "#app/", "node:|dayjs$", packagesBut("engine")),
  boundary(
    "packages/console/src/lib/**",
    "lib draws nothing and knows no room",
    "node:|dayjs$",
    rooms("app", ...house.kit.console, ...house.rooms, "test"),
    packagesBut("engine"),
  ),
  boundary(
    "packages/console/src/ui/**",
    "ui knows nothing of the domain",
    "node:",
    rooms("app", ...house.kit.console, ...house.rooms, "test"),
    packagesBut(),
  ),
  boundary(
    "packages/{demo,wallet-check}/src/**",
    "demo and wallet check know the public interface only: they import contract",
    "#",
    packagesBut(),
  ),
  boundary(
    "packages/fault-wallet/src/**",
    "the fault wallet shares no code with what it judges: it imports contract and demo",
    "#",
    packagesBut("demo"),
  ),
  refuse("e2e/**", "stories know the running system only", packagesBut(), "(?:\\.\\./)+packages/"),
  // Tests may import more, so they come last.
  boundary(
    ["packages/contract/src/**/*.test.ts", "packages/contract/test/**"],
    "tests of contract import contract",
    packagesBut(),
  ),
  boundary(
    ["packages/{engine,demo}/src/**/*.test.ts"],
    "tests of engine and demo import their package and contract",
    "#",
    packagesBut(),
  ),
  boundary(
    ["packages/server/src/**/*.test.ts", "packages/server/test/**"],
    "tests of the server import the server, engine and contract",
    packagesBut("engine", "wallet-check"),
  ),
  boundary(
    ["packages/console/src/**/*.test.{ts,tsx}", "packages/console/test/**"],
    "tests of the console import the console, engine and contract",
    packagesBut("engine"),
  ),
];

const most = (max) => ["error", { max, skipBlankLines: false, skipComments: false }];
const NODE = "packages/{contract,engine,server,demo,wallet-check,fault-wallet}";
const SCRIPTS = ["tools/**", "e2e/**", "bench/**"];
const WALLETS = "packages/{demo,fault-wallet}/src/**";

export default {
  plugins: ["typescript", "unicorn", "oxc", "import", "react", "jsx-a11y", "vitest", "node"],
  categories: { correctness: "error" },
  ignorePatterns: ["**/node_modules/**", "**/dist/**", "test-results/**", "data/**"],
  rules: {
    curly: "error",
    eqeqeq: "error",
    "no-var": "error",
    "prefer-const": "error",
    "no-console": "error",
    "max-lines": most(460),
    "max-lines-per-function": most(70),
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "node/no-process-env": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/only-throw-error": [
      "error",
      {
        allow: [
          {
            from: "package",
            package: "@tanstack/router-core",
            name: ["Redirect", "NotFoundError"],
          },
        ],
      },
    ],
    "typescript/switch-exhaustiveness-check": "error",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "react/rules-of-hooks": "error",
    "react/exhaustive-deps": "error",
    "jsx-a11y/prefer-tag-over-role": "off",
    "vitest/no-conditional-expect": "off",
    "vitest/valid-expect": "off",
    "vitest/expect-expect": [
      "error",
      { assertFunctionNames: ["expect", "expect*", "until*", "fc.assert"] },
    ],
    "typescript/unbound-method": "off",
    "vitest/no-focused-tests": "error",
    "vitest/no-disabled-tests": "error",
  },
  overrides: [
    ...BOUNDARIES,
    {
      files: ["packages/{contract,engine,server}/src/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          {
            object: "Math",
            property: "random",
            message: "use node:crypto: what is drawn or signed must not be guessable",
          },
        ],
      },
    },
    off(
      "node/no-process-env",
      "packages/server/src/platform/config.ts",
      "packages/server/test/**",
      WALLETS,
      "**/*.test.{ts,tsx}",
      ...SCRIPTS,
      "*.config.ts",
    ),
    off("no-console", "packages/server/src/ops/**", WALLETS, ...SCRIPTS),
    off("react/rules-of-hooks", `${NODE}/**`, ...SCRIPTS),
    off("max-lines-per-function", "**/*.test.{ts,tsx}", "**/*.tsx", "e2e/**"),
    off("import/no-default-export", "*.config.{ts,mjs}", "packages/*/*.config.ts"),
  ],
};
