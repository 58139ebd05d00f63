/** What the system says about a process that is not our child. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

interface ProcessState {
  /** Ended, but its parent has not looked yet. */
  readonly isZombie: boolean;
  /** The arguments it was started with, in one text. */
  readonly command: string;
}

function fromProc(pid: number): ProcessState | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may itself hold brackets and blanks.
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { isZombie: state === "Z" || state === "X", command };
  } catch {
    return null;
  }
}

function fromPs(pid: number): ProcessState | null {
  const answer = spawnSync("ps", ["-o", "stat=,args=", "-p", String(pid)], { encoding: "utf8" });
  const line = answer.status === 0 ? answer.stdout.trim() : "";
  return line === "" ? null : { isZombie: line.startsWith("Z"), command: line };
}

/** Null when there is no such process. */
function processState(pid: number): ProcessState | null {
  return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
}

/**
 * Does process `pid` run, and was it started with `argument`? A number alone proves nothing: a dead
 * process keeps it until its parent looks, and then another one may get it.
 */
export function isRunning(pid: number, argument: string): boolean {
  const state = processState(pid);
  return state !== null && !state.isZombie && state.command.includes(argument);
}
