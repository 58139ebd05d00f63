/** Debian's packages, for proofs that need more than Node. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs `packages`, as root, unless all these files exist. */
export function install(files: readonly string[], packages: string): void {
  if (files.every((file) => existsSync(file))) {
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const words of ["update", `install -y --no-install-recommends ${packages}`]) {
    execFileSync("apt-get", words.split(" "), { env, stdio: ["ignore", "ignore", "inherit"] });
  }
}
