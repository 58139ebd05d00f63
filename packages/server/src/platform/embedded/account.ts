/**
 * Chooses the account that runs PostgreSQL. PostgreSQL does not run as root, so root uses another account; other users
 * run PostgreSQL as themselves (null).
 */
import { spawnSync } from "node:child_process";
import { accessSync, chownSync, constants, lstatSync } from "node:fs";

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idOf(name: string, kind: "-u" | "-g"): number | null {
  const answer = spawnSync("id", [kind, name], { encoding: "utf8" });
  return answer.status === 0 ? Number(answer.stdout) : null;
}

function accountNamed(name: string): Account | null {
  const uid = idOf(name, "-u");
  const gid = idOf(name, "-g");
  return uid === null || gid === null ? null : { name, uid, gid };
}

/**
 * For root: the owner of `dataFolder`, else `postgres` or `nobody`, because initdb needs an account with a name. For
 * other users: null. Throws if the cluster belongs to a user that this process cannot become.
 */
export function chooseAccount(dataFolder: string | null): Account | null {
  const owner = dataFolder === null ? null : lstatSync(dataFolder);
  if (!isRoot()) {
    if (owner !== null && owner.uid !== process.getuid?.()) {
      throw new Error(
        `the embedded database in ${dataFolder} belongs to another user (uid ${owner.uid}): run this as that user or as root`,
      );
    }
    return null;
  }
  if (owner !== null && owner.uid !== 0) {
    return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const account = accountNamed("postgres") ?? accountNamed("nobody");
  if (account === null) {
    throw new Error(
      "PostgreSQL does not run as root and there is no user postgres or nobody: make one, run this as an ordinary user, or set DATABASE_URL",
    );
  }
  return account;
}

/**
 * Returns spawn options that run a program under the account. The program gets only these environment variables, none
 * of ours.
 */
export function runAs(account: Account | null) {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  return { ...(account && { uid: account.uid, gid: account.gid }), cwd: "/", env };
}

export function handOver(account: Account | null, target: string): void {
  if (account !== null) {
    chownSync(target, account.uid, account.gid);
  }
}

/** Tests access as that account, because modes of the parent folders, access lists and mounts all matter. */
export function canEnter(account: Account | null, folder: string): boolean {
  if (account === null) {
    try {
      accessSync(folder, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  const words = ["-c", 'test -x "$1"', "sh", folder];
  return spawnSync("/bin/sh", words, runAs(account)).status === 0;
}
