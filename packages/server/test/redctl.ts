/** Runs redctl in this process. */
import { runRedctl } from "#ops/run";
import { readConfig } from "#platform/config";
import type { Config, Environment } from "#platform/config";
import { databaseUrl } from "#test/database-url";
import type { TestDb } from "#test/test-db";

/** Runs a command; returns exit code and output. */
export async function redctl(config: (given: Environment) => Config, words: string, input = "") {
  const said = { out: "", err: "" };
  const code = await runRedctl(
    words.split(" ").filter((word) => word !== ""),
    {
      config,
      signal: new AbortController().signal,
      terminal: {
        out: (text) => void (said.out += text),
        err: (text) => void (said.err += text),
        input: async () => input,
      },
    },
  );
  return { code, ...said };
}

export function configOf(t: TestDb, changes: Partial<Config> = {}): Config {
  return { ...readConfig({}), databaseUrl: databaseUrl(t.connection), ...changes };
}
