/** A copy of the tree for one run, with the installed packages linked and our own ones its own. */
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
    // Wherever the copy lies, it belongs to no repository.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** Copies what git knows or would know of; answers the folder, which the caller removes. */
export function makeScratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-faults-"));
  const { ok, output } = git(ROOT, ["ls-files", "-co", "--exclude-standard", "-z"]);
  if (!ok) {
    throw new Error(`the files of the tree could not be listed: ${output}`);
  }
  for (const file of output.split("\0")) {
    // What was removed and not yet told to git is still in the list.
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

/** Plants a fault, or takes it back; throws when the patch does not fit the tree. */
export function patch(folder: string, file: string, direction: "plant" | "take back"): void {
  const back = direction === "plant" ? [] : ["--reverse"];
  const { ok, output } = git(folder, ["apply", ...back, path.join(ROOT, file)]);
  if (!ok) {
    throw new Error(`${file} does not apply any more:\n${output}`);
  }
}
