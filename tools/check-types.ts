/** Runs the compiler over every tsconfig of the repository. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { installed, ROOT, runCommand } from "./run-command.ts";

export interface TypesOutcome {
  /** Path of the tsconfig from the root. */
  readonly project: string;
  readonly isGood: boolean;
  readonly output: string;
}

function projects(): string[] {
  const packages = readdirSync(path.join(ROOT, "packages")).toSorted();
  const inPackages = packages.flatMap((name) =>
    readdirSync(path.join(ROOT, "packages", name))
      .filter((file) => /^tsconfig.*\.json$/.test(file))
      .map((file) => `packages/${name}/${file}`),
  );
  return ["tsconfig.json", "bench/web/tsconfig.json", ...inPackages];
}

export async function checkTypes(signal?: AbortSignal): Promise<TypesOutcome[]> {
  const outcomes: TypesOutcome[] = [];
  for (const project of projects()) {
    const options = signal === undefined ? {} : { signal };
    const { code, output } = await runCommand(installed("tsc"), ["-p", project], options);
    outcomes.push({ project, isGood: code === 0, output });
  }
  return outcomes;
}
