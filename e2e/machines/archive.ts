/**
 * The archive of `npm run pack` on a machine with nothing but Node and without a network: an empty network namespace, a
 * fresh folder, no npm. Prints one line per claim; status 1 when one fails.
 *
 *   tsx e2e/machines/archive.ts      as root
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual, part, verdict } from "../outside/claims.ts";
import { makeFolder } from "../outside/server.ts";

const START_MS = 120_000;
const PORT = "8080";
const UNIT = "deploy/systemd/red-packet@.service";
/** Of systemd-analyze, in tenths. */
const EXPOSURE_MAX = "30";
/** All that the machine has. */
const PROGRAMS = ["sh", "dirname", "readlink", "ip", "id"];

async function startsAlone(folder: string): Promise<void> {
  const archive = execFileSync("npm", ["run", "--silent", "pack"], { encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  const bin = path.join(folder, "path");
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, "node"));
  for (const program of PROGRAMS) {
    const found = execFileSync("which", [program], { encoding: "utf8" }).trim();
    symlinkSync(found, path.join(bin, program));
  }
  const env = { PATH: bin, DATA_DIR: path.join(folder, "data"), PORT, LOG_LEVEL: "warn" };
  const product = path.join(folder, "red-packet");
  const start = `ip link set lo up; exec ${product}/bin/red-packet`;
  const child = spawn("unshare", ["-n", "/bin/sh", "-c", start], { env, cwd: "/" });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const inside = (command: string, ...words: string[]) =>
    spawnSync("/usr/bin/nsenter", ["-t", String(child.pid), "-n", command, ...words], {
      env,
      encoding: "utf8",
    });
  const get = (place: string) =>
    inside(
      process.execPath,
      "-e",
      `fetch("http://127.0.0.1:${PORT}${place}").then(async (a) => console.log(a.status, (await a.text()).length > 100))`,
    ).stdout?.trim();
  const giveUp = Date.now() + START_MS;
  while (get("/readyz")?.startsWith("200") !== true && Date.now() < giveUp) {
    await sleep(500);
  }
  claimEqual("it is ready", get("/readyz")?.slice(0, 3), "200");
  for (const place of ["/red/", "/red/docs", "/red/guide/"]) {
    claimEqual(`it serves ${place}`, get(place), "200 true");
  }
  const links = inside(path.join(bin, "ip"), "-o", "link").stdout.trim().split("\n");
  claim("there is no network", links.length === 1 && links[0]?.includes("lo:") === true, links);
  const doctor = inside(path.join(product, "bin/redctl"), "doctor");
  claimEqual("redctl doctor finds nothing wrong", [doctor.status, doctor.stderr], [0, ""]);
  child.kill("SIGTERM");
  const from = Date.now();
  const [code] = await once(child, "exit");
  claim("SIGTERM ends it in ten seconds", code === 0 && Date.now() - from < 10_000, { code, said });
}

async function isSandboxed(): Promise<void> {
  const words = ["security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, UNIT];
  const { status, stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  claim(`the unit's exposure is at most ${EXPOSURE_MAX} tenths`, status === 0, stdout.slice(-200));
  process.stdout.write(`${stdout.trim().split("\n").at(-1) ?? ""}\n`);
}

async function main(): Promise<0 | 1> {
  const folder = makeFolder("archive");
  await part("the archive alone", () => startsAlone(folder));
  await part("the unit", isSandboxed);
  rmSync(folder, { recursive: true, force: true });
  return verdict();
}

process.exit(await main());
