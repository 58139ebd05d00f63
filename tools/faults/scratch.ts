/** A copy of the tree for one run; installed packages are linked, our own are copied. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../run-command.ts";

/** Our own packages: a link to the original would run the original. */
const SCOPE = "@red";

function git(folder: string, parameters: readonly string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync("git", parameters, {
    cwd: folder,
    encoding: "utf8",
    // The copy belongs to no repository, wherever it lies.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** Copies all tracked and untracked files except ignored ones; answers the folder, which the caller removes. */
export function makeScratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-faults-"));
  const { ok, output } = git(ROOT, ["ls-files", "-co", "--exclude-standard", "-z"]);
  if (!ok) {
    throw new Error(`the files of the tree could not be listed: ${output}`);
  }
  for (const file of output.split("\0")) {
    // A deleted file stays in git's list until the deletion is staged.
    if (file !== "" && existsSync(path.join(ROOT, file))) {
      cpSync(path.join(ROOT, file), path.join(folder, file));
    }
  }
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, "node_modules"))) {
    if (name !== SCOPE && name !== ".cache") {
      symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
    }
  }
  for (const name of readdirSync(path.join(folder, "packages"))) {
    symlinkSync(path.join(folder, "packages", name), path.join(modules, SCOPE, name));
  }
  return folder;
}

/** Plants a fault or removes it; throws when the patch does not apply. */
export function patch(folder: string, file: string, direction: "plant" | "take back"): void {
  const back = direction === "plant" ? [] : ["--reverse"];
  const { ok, output } = git(folder, ["apply", ...back, path.join(ROOT, file)]);
  if (!ok) {
    throw new Error(`${file} does not apply any more:\n${output}`);
  }
}
