/** What proofs that are programs of their own share: the seed, printed lines, the frame. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { part, verdict } from "./claims.ts";
import { makeFolder } from "./server.ts";

export const SEED = Number(process.env["PROVE_SEED"] ?? randomBytes(4).readUInt32BE());

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Builds the server, runs the proof with a folder of its own, and ends this program: status 1 when a claim failed. */
export async function prove(name: string, run: (folder: string) => Promise<void>): Promise<never> {
  say(`seed ${SEED}`);
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { stdio: "inherit" });
  const folder = makeFolder(name);
  await part(name, () => run(folder));
  rmSync(folder, { recursive: true, force: true });
  process.exit(verdict());
}
