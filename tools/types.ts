/** `npm run types`: runs the compiler over every tsconfig of the repository, and prints a claim for each. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { installed, ROOT, runCommand } from "./run-command.ts";

const inPackages = readdirSync(path.join(ROOT, "packages"))
  .toSorted()
  .flatMap((name) =>
    readdirSync(path.join(ROOT, "packages", name))
      .filter((file) => /^tsconfig.*\.json$/.test(file))
      .map((file) => `packages/${name}/${file}`),
  );
for (const project of ["tsconfig.json", "bench/web/tsconfig.json", ...inPackages]) {
  const { code, output } = await runCommand(installed("tsc"), ["-p", project]);
  process.stdout.write(code === 0 ? `ok ${project}\n` : `not ok ${project}\n${output}\n`);
  process.exitCode ||= code === 0 ? 0 : 1;
}
