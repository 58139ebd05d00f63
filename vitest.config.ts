import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const DATABASE = fileURLToPath(new URL("packages/server/test/global-setup.ts", import.meta.url));
const CONSOLE = fileURLToPath(new URL("packages/console/test/setup.ts", import.meta.url));
const PAGE = fileURLToPath(new URL("packages/console/test/page.ts", import.meta.url));

/** Tests of one package; a name of the project in `--project` runs only those. */
function packageTests(name: string, options: object = {}) {
  const root = `packages/${name}`;
  return { test: { name, root, include: ["src/**/*.test.{ts,tsx}"], ...options } };
}

/** Tests of the server that only `npm run prove` runs: they load, kill or wait, and shorter ones hold the same rules. */
const LONG =
  process.env["PROVE_N"] === undefined
    ? [
        "src/payouts/{reissue-presses,wallet-outage}.test.ts",
        "src/events/ingest-load.test.ts",
        "src/pools/prize-upload-load.test.ts",
      ]
    : [];

/* Real processes and a real PostgreSQL on a machine that may be busy. */
const PATIENT = { testTimeout: 120_000, hookTimeout: 120_000 };

const IN_PAGE = {
  environment: PAGE,
  setupFiles: CONSOLE,
  testTimeout: 60_000,
  // Bundled once, instead of hundreds of files loaded for each test file.
  deps: {
    optimizer: {
      client: {
        enabled: true,
        include: [
          "antd",
          "@testing-library/react",
          "@tanstack/react-router",
          "@tanstack/react-query",
          "react-i18next",
        ],
      },
    },
  },
};

/** `prove -- mutants` runs these tests of the server, each file with modules of its own: a mutant may be in a constant. */
const FOR_MUTANTS = process.env["MUTANTS_TESTS"]?.split(" ");

const PROJECTS =
  FOR_MUTANTS === undefined
    ? [
        packageTests("contract", PATIENT),
        packageTests("engine", PATIENT),
        // Files share what they load: loading the server anew for each costs more than most of them.
        packageTests("server", {
          globalSetup: DATABASE,
          isolate: false,
          exclude: LONG,
          ...PATIENT,
        }),
        packageTests("console", { ...IN_PAGE, exclude: ["src/lib/**"], isolate: false }),
        // What a part of lib remembers is what its tests are about.
        packageTests("console-lib", {
          ...IN_PAGE,
          root: "packages/console",
          include: ["src/lib/**/*.test.{ts,tsx}"],
        }),
        packageTests("demo", PATIENT),
        packageTests("wallet-check", PATIENT),
        packageTests("fault-wallet", PATIENT),
        { test: { name: "tools", include: ["tools/**/*.test.ts"], ...PATIENT } },
      ]
    : [
        packageTests("server", {
          globalSetup: DATABASE,
          include: FOR_MUTANTS,
          exclude: LONG,
          ...PATIENT,
        }),
      ];

export default defineConfig({ test: { maxWorkers: 2, projects: PROJECTS } });
