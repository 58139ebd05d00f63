/** Where PostgreSQL's socket may lie: its path has to fit into what the system allows. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { canEnter } from "./account.ts";
import type { Account } from "./account.ts";
import type { Place } from "./place.ts";

/** The number in it stands for a TCP port that is not opened. */
export const SOCKET_NAME = ".s.PGSQL.5432";
/** `sun_path` of Linux less its final zero; macOS has four bytes less. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= PATH_BYTES_MAX;
}

/** Nobody else may have put a folder of that name there to listen in our place. */
function isSafe(folder: string, account: Account | null): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const owners = [account?.uid, process.getuid?.()];
  return (
    found === undefined ||
    (found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0)
  );
}

/** The same folder for the same place each time, so that open pools find a restarted PostgreSQL. */
export function chooseSocketFolder(place: Place, account: Account | null): string {
  const inside = path.join(place.root, "run");
  if (fits(inside)) {
    return inside;
  }
  const name = `red-packet-${createHash("sha256").update(place.root).digest("hex").slice(0, 16)}`;
  for (const parent of [tmpdir(), "/tmp", "/var/tmp"]) {
    const folder = path.join(parent, name);
    if (fits(folder) && canEnter(account, parent) && isSafe(folder, account)) {
      return folder;
    }
  }
  throw new Error(`no folder is short enough for PostgreSQL's socket: choose a shorter DATA_DIR`);
}
