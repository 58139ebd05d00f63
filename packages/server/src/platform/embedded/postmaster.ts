/**
 * Starts, finds and stops the one PostgreSQL of a cluster. PostgreSQL runs on for a few seconds after a server is
 * killed (tenancy.ts); the next server finds it by postmaster.pid.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canEnter, handOver, runAs } from "./account.ts";
import type { Account } from "./account.ts";
import type { Cluster } from "./cluster.ts";
import type { Place } from "./place.ts";

/** The limit is long, because recovery after a crash replays up to `max_wal_size`. */
const START_MS_MAX = 300_000;
/** The limit is short, because the whole server must stop within 10 s. */
const STOP_MS_MAX = 8_000;
const LOG_BYTES_MAX = 16 * 1024 * 1024;

const SETTINGS = {
  // Clients connect only through a socket with file permissions, never over the network.
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  wal_compression: "on",
  // Statements are short, so compiling them costs more than it saves.
  jit: "off",
  fsync: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] %a ",
  // This log must not contain names of players, because erasing a player does not change the log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
};

/** The number is only a part of the name. No port is opened. */
const SOCKET_NAME = ".s.PGSQL.5432";
/** Length of `sun_path` on Linux without its final zero byte. macOS has four bytes less. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= PATH_BYTES_MAX;
}

/**
 * True if the folder is missing, or is private and belongs to the database's account or to this user. Another user may
 * have created the folder to listen in our place.
 */
function isSafe(folder: string, account: Account | null): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const owners = [account?.uid, process.getuid?.()];
  return (
    found === undefined ||
    (found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0)
  );
}

/** Returns the same folder for a place each time, so that open pools find a restarted PostgreSQL. */
function chooseSocketFolder(place: Place, account: Account | null): string {
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

/**
 * Returns the command line of a process. Returns null if the process does not exist, or has ended but is not reaped
 * yet.
 */
function commandFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name in brackets may itself contain brackets and spaces.
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return state === "Z" || state === "X" ? null : command;
  } catch {
    return null;
  }
}

/** Like `commandFromProc`, for systems without /proc. The result begins with the state of the process. */
function commandFromPs(pid: number): string | null {
  const answer = spawnSync("ps", ["-o", "stat=,args=", "-p", String(pid)], { encoding: "utf8" });
  const line = answer.status === 0 ? answer.stdout.trim() : "";
  return line.startsWith("Z") ? null : line;
}

/**
 * True if process `pid` was started with `argument`. The id alone is not enough, because another process may have it
 * now.
 */
function isRunning(pid: number, argument: string): boolean {
  const commandOf = existsSync("/proc/self/stat") ? commandFromProc : commandFromPs;
  return commandOf(pid)?.includes(argument) === true;
}

export interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
  /** `starting`, `ready` or `stopping`. */
  readonly status: string;
}

/** Returns the running PostgreSQL, whatever its state. Returns null if PostgreSQL does not run. */
export function findPostmaster(place: Place): Postmaster | null {
  const file = path.join(place.data, "postmaster.pid");
  if (!existsSync(file)) {
    return null;
  }
  const lines = readFileSync(file, "utf8").split("\n");
  const pid = Number(lines[0]);
  if (!(pid > 1) || !isRunning(pid, `-D ${place.data} `)) {
    return null;
  }
  return { pid, socketFolder: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

/** Removes stale pid files. PostgreSQL does not start if such a file names a process that is now another program. */
function clearRemains(place: Place, socketFolder: string): void {
  rmSync(path.join(place.data, "postmaster.pid"), { force: true });
  rmSync(path.join(socketFolder, `${SOCKET_NAME}.lock`), { force: true });
}

/** Opens the log for appending. Renames the log first if it is large. */
function openLog({ root, log }: Place): number {
  if ((lstatSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) {
    renameSync(log, `${log}.1`);
  }
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openSync(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (process.getuid?.() === 0) {
    // Root may start the cluster of an ordinary user, who must be able to write here later.
    const { uid, gid } = statSync(root);
    fchownSync(descriptor, uid, gid);
  }
  return descriptor;
}

interface Launch {
  ended: string | null;
  /** Offset in the log where the output of this PostgreSQL begins. */
  readonly logFrom: number;
}

function launch(cluster: Cluster, socketFolder: string): Launch {
  const { place, account, binaries } = cluster;
  const settings = { ...SETTINGS, unix_socket_directories: socketFolder };
  const log = openLog(place);
  const launched: Launch = { ended: null, logFrom: statSync(place.log).size };
  const child = spawn(
    path.join(binaries, "bin/postgres"),
    ["-D", place.data, ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`])],
    {
      ...runAs(account),
      // The output goes to a file, because a pipe would end with this process. With its own process group, Ctrl-C does
      // not end PostgreSQL before the server has stopped.
      detached: true,
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  child.once("error", (error) => (launched.ended = error.message));
  child.once("exit", (code, signal) => (launched.ended ??= `ended with ${signal ?? code}`));
  child.unref();
  return launched;
}

function lastWords(place: Place, from: number): string {
  return readFileSync(place.log).subarray(from).toString("utf8").slice(-2_000).trim();
}

/**
 * Returns the running PostgreSQL and whether this call started it. Waits while PostgreSQL starts, recovers or stops.
 * Throws with the end of the log if PostgreSQL does not start.
 */
export async function ensurePostmaster(
  cluster: Cluster,
): Promise<{ postmaster: Postmaster; mode: "warm" | "attached" }> {
  const { place, account } = cluster;
  const deadline = Date.now() + START_MS_MAX;
  let launched: Launch | null = null;
  while (Date.now() < deadline) {
    const found = findPostmaster(place);
    if (found?.status === "ready") {
      const isOurs = launched !== null && launched.ended === null;
      return { postmaster: found, mode: isOurs ? "warm" : "attached" };
    }
    if (launched !== null && launched.ended !== null) {
      const words = lastWords(place, launched.logFrom);
      // Another process was faster, or the children of a killed PostgreSQL are still exiting.
      if (!/lock file|pre-existing shared memory/.test(words)) {
        throw new Error(`the embedded PostgreSQL ${launched.ended} (${place.log}): ${words}`);
      }
      launched = null;
      await sleep(200);
    } else if (found === null && launched === null) {
      const socketFolder = chooseSocketFolder(place, account);
      mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
      handOver(account, socketFolder);
      clearRemains(place, socketFolder);
      launched = launch(cluster, socketFolder);
    }
    await sleep(10);
  }
  throw new Error(`the embedded PostgreSQL was not ready within 5 minutes: see ${place.log}`);
}

/** Stops PostgreSQL. Returns false if it did not end in time; it then continues to stop. */
export async function stopPostmaster(place: Place): Promise<boolean> {
  const found = findPostmaster(place);
  if (found === null) {
    return true;
  }
  process.kill(found.pid, "SIGINT");
  const deadline = Date.now() + STOP_MS_MAX;
  while (Date.now() < deadline) {
    if (!isRunning(found.pid, `-D ${place.data} `)) {
      return true;
    }
    await sleep(10);
  }
  return false;
}
