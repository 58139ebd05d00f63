/**
 * The archive of `npm run pack` on a machine with nothing but Node and without a network: an empty network namespace, a
 * fresh folder, no npm; then as the image of deploy/container, on a base made here, without a registry.
 *
 *   tsx e2e/machines/archive.ts      as root
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual, part } from "../outside/claims.ts";
import { install } from "../outside/debian.ts";
import { prove } from "../outside/proof.ts";

const START_MS = 120_000;
const PORT = "8080";
const UNIT = "deploy/systemd/red-packet@.service";
/** Limit of systemd-analyze's exposure, in tenths. */
const EXPOSURE_MAX = "30";
/** The limits of the machine. */
const PROGRAMS = ["sh", "dirname", "readlink", "ip", "id"];
/** Kept from run to run. */
const BASE = `localhost/red-packet-base:${process.version}`;
/** Name of the image, its container and its volume. */
const NAME = "red-packet-proof";
/** As compose.yaml has it, but without the temporary folders and the account's name that podman adds. */
const CONFINED =
  "--read-only --read-only-tmpfs=false --cap-drop=all --security-opt=no-new-privileges --network=none --passwd=false";
/** podman's own are above what a root without all rights may set. */
const LIMITS = "--ulimit=nofile=4096:4096 --ulimit=nproc=4096:4096";

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
  const child = spawn("/usr/bin/unshare", ["-n", "/bin/sh", "-c", start], { env, cwd: "/" });
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

function podman(words: string): { readonly status: number | null; readonly out: string } {
  // Its timer of health checks needs systemd: they are run here. crun refuses control groups of mixed versions.
  const env = { ...process.env, DISABLE_HC_SYSTEMD: "true" };
  const all = ["--runtime=runc", ...words.split(" ")];
  const { status, stdout, stderr } = spawnSync("podman", all, { encoding: "utf8", env });
  return { status, out: status === 0 ? stdout.trim() : stderr };
}

function build(folder: string): void {
  const shell = (line: string) => execFileSync("sh", ["-ec", line], { stdio: "ignore" });
  const files = ["/usr/bin/podman", "/usr/sbin/runc", "/usr/sbin/debootstrap"];
  install(files, "podman runc debootstrap");
  if (podman(`image exists ${BASE}`).status !== 0) {
    const root = path.join(folder, "base");
    shell(`debootstrap --variant=minbase bookworm ${root}`);
    cpSync(process.execPath, path.join(root, "usr/local/bin/node"));
    shell(`tar -C ${root} -c . | podman import - ${BASE}`);
  }
  const from = `--build-arg=BASE=${BASE} -f deploy/container/Containerfile .cache/pack`;
  const how = "--isolation=chroot --layers=false --format=docker";
  const built = podman(`build ${how} -t ${NAME} ${from}`);
  claim("the image builds", built.status === 0, built.out);
}

async function startsAsImage(folder: string): Promise<void> {
  build(folder);
  const run = podman(
    `run -d --replace --name=${NAME} ${LIMITS} ${CONFINED} -v ${NAME}:/data ${NAME}`,
  );
  claim("it starts without root, on a disk that cannot be written", run.status === 0, run.out);
  const giveUp = Date.now() + START_MS;
  while (podman(`healthcheck run ${NAME}`).status !== 0 && Date.now() < giveUp) {
    await sleep(500);
  }
  const inspect = (what: string) => podman(`inspect -f {{.State.${what}}} ${NAME}`).out;
  claimEqual("its health check says healthy", inspect("Health.Status"), "healthy");
  const users = podman(`top ${NAME} huser`).out.split("\n").slice(1);
  claimEqual("all its processes have the image's user", [...new Set(users)], ["10001"]);
  const mounts = podman(`exec ${NAME} cat /proc/1/mounts`).out;
  const writable = mounts.match(/\S+(?= \S+ rw)/g)?.filter((at) => !/^.(?:dev|proc|sys)/.test(at));
  claimEqual("nothing but /data can be written", writable, ["/data"]);
  const doctor = podman(`exec ${NAME} /opt/red-packet/bin/redctl doctor`);
  claim("redctl doctor finds nothing wrong in it", doctor.status === 0, doctor.out);
  const from = Date.now();
  podman(`stop -t 20 ${NAME}`);
  const took = Date.now() - from;
  claim("a stop ends it in ten seconds", inspect("ExitCode") === "0" && took < 10_000, took);
  const [size, base] = [NAME, BASE].map((image) =>
    Math.round(Number(podman(`image inspect -f {{.Size}} ${image}`).out) / 1e6),
  );
  process.stdout.write(`image ${size} MB, of which its base ${base} MB\n`);
}

async function isSandboxed(): Promise<void> {
  const words = ["security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, UNIT];
  const { status, stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  claim(`the unit's exposure is at most ${EXPOSURE_MAX} tenths`, status === 0, stdout.slice(-200));
  process.stdout.write(`${stdout.trim().split("\n").at(-1) ?? ""}\n`);
}

async function archive(folder: string): Promise<void> {
  await part("the archive alone", () => startsAlone(folder));
  await part("the image", () => startsAsImage(folder));
  podman(`volume rm -f ${NAME}`);
  podman(`rmi -f ${NAME}`);
  await part("the unit", isSandboxed);
}

await prove("archive", archive);
