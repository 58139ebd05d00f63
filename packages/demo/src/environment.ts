/** Reads the configuration of this package's entries from the environment. */

/** The named variables. Prints all missing ones and ends the process with status 1. */
export function requireEnvironment<const K extends string>(names: readonly K[]): Record<K, string> {
  const missing = names.filter((name) => (process.env[name] ?? "") === "");
  if (missing.length > 0) {
    process.stderr.write(`missing in the environment: ${missing.join(", ")}\n`);
    process.exit(1);
  }
  // Every name was just seen to have a value.
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""])) as Record<
    K,
    string
  >;
}

export function optionalEnvironment(name: string): string | null {
  const value = process.env[name] ?? "";
  return value === "" ? null : value;
}
