/**
 * Decides where the cluster of a data folder is: inside the folder, or in a system folder. The system folder is used,
 * with a pointer in the data folder, if the database's account cannot enter the data folder (private to root).
 */
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { canEnter } from "./account.ts";
import type { Account } from "./account.ts";

/** The name contains the major version, because another major version cannot read these files. */
const NAME = "postgres-18";
const POINTER = `${NAME}.location`;

export interface Place {
  /** Parent of the other paths. The database's account can pass through it. */
  readonly root: string;
  readonly data: string;
  /** File with the password of both roles. Only the database's account and root can read it. */
  readonly password: string;
  readonly log: string;
}

export function placeAt(root: string): Place {
  return {
    root,
    data: path.join(root, "data"),
    password: path.join(root, "password"),
    log: path.join(root, "postgres.log"),
  };
}

/** Creates the folder if it is missing, and resolves all links. */
export function ensureDataFolder(dataDir: string): string {
  // 0711: the database's account can pass through the folder, but other users cannot list it.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  return realpathSync(dataDir);
}

function readPointer(dataDir: string): string | null {
  const pointer = path.join(dataDir, POINTER);
  if (!existsSync(pointer)) {
    return null;
  }
  const home = readFileSync(pointer, "utf8").trim();
  if (!existsSync(home)) {
    throw new Error(
      `${pointer} says that the database is kept in ${home}, but that is gone: put it back from a backup, or remove the pointer to begin with an empty database`,
    );
  }
  return home;
}

/** Returns null if there is no cluster yet. */
export function findPlace(dataDir: string): Place | null {
  const inside = path.join(dataDir, NAME);
  const root = existsSync(inside) ? inside : path.join(readPointer(dataDir) ?? dataDir, NAME);
  return existsSync(root) ? placeAt(root) : null;
}

/**
 * Returns a root-owned system folder that the account can enter. The first candidate survives a restart of the machine.
 */
export function systemFolder(account: Account): string {
  const candidates = ["/var/lib", "/var/tmp", tmpdir()].map((folder) => `${folder}/red-packet`);
  for (const folder of candidates) {
    try {
      if (mkdirSync(folder, { recursive: true }) !== undefined) {
        chmodSync(folder, 0o755);
      }
    } catch {
      continue;
    }
    const found = lstatSync(folder);
    const isOurs = found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
    if (isOurs && canEnter(account, folder)) {
      return folder;
    }
  }
  throw new Error(
    `none of ${candidates.join(", ")} can be used for the database: choose a DATA_DIR that user ${account.name} can enter, or set DATABASE_URL`,
  );
}

/** Creates a system folder and the pointer to it. If another process has created a pointer first, that pointer wins. */
function moveOutside(dataDir: string, account: Account): string {
  const digest = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const home = mkdtempSync(path.join(systemFolder(account), `${digest}-`));
  chmodSync(home, 0o711);
  writeFileSync(path.join(home, "belongs-to"), `${dataDir}\n`);
  const pointer = path.join(dataDir, POINTER);
  const draft = `${pointer}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${home}\n`);
  try {
    linkSync(draft, pointer);
    return home;
  } catch (error) {
    const other = readPointer(dataDir);
    rmSync(home, { recursive: true });
    if (other === null) {
      throw error;
    }
    return other;
  } finally {
    rmSync(draft);
  }
}

export function choosePlace(dataDir: string, account: Account | null): Place {
  const known = readPointer(dataDir);
  const isInside = known === null && (account === null || canEnter(account, dataDir));
  const home = isInside || account === null ? dataDir : (known ?? moveOutside(dataDir, account));
  return placeAt(path.join(home, NAME));
}
