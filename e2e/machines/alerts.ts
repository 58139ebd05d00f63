/**
 * Each alert of deploy/prometheus fires when what it watches is broken, and ends once it is mended, in a real Prometheus whose
 * times are shortened. Then none fires while all goes well.
 *
 *   tsx e2e/machines/alerts.ts      as root, for Debian's packages and a small disk; PROVE_N minutes of quiet (60), PROVE_SEED
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, part } from "../outside/claims.ts";
import { install } from "../outside/debian.ts";
import { beginTrial } from "../outside/kill/judge.ts";
import { member } from "../outside/kill/member.ts";
import { commonOf, openSite } from "../outside/kill/stage.ts";
import { startPostgres } from "../outside/postgres.ts";
import { heldOnce, prove, SEED } from "../outside/proof.ts";
import { freePort, isReady } from "../outside/server.ts";

const MINUTES = Number(process.env["PROVE_N"] ?? 60);
/** For sed: times and limits become seconds, so that a break shows soon. */
const HASTY = `s/for: .*/for: 3s/; s/\\[[0-9]+m\\]/[6s]/g; s/offset [0-9]+m/offset 8s/
  s/> [39]00\\b/> 15/g; s/> 67108864/> 100000/; s/< 1e9/< 1e6/`;
const DIST = `${process.cwd()}/packages/server/dist`;
const OLDER = `${process.cwd()}/.cache/older/packages/server/dist`;
const AUTHORITY = `${process.cwd()}/packages/fault-wallet/certificates/authority.pem`;
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

const sh = (command: string) => void execFileSync("sh", ["-c", command], { stdio: "pipe" });
const at = (port: number) => `127.0.0.1:${port}`;

/** A Prometheus that judges `own` and other servers by the rules, which `hasty` changes; it looks once in `every`. */
async function openPrometheus(folder: string, hasty: string, every: string, ports: number[]) {
  const [address, [own, ...others]] = [at(await freePort()), ports.map(at)];
  sh(`sed -E '${hasty}' deploy/prometheus/alerts.yml > ${folder}/alerts.yml`);
  const config = `
    global: { scrape_interval: ${every}, evaluation_interval: ${every} }
    rule_files: [alerts.yml]
    scrape_configs:
      - { job_name: red-packet, static_configs: [{ targets: ["${own}"] }] }
      - { job_name: others, static_configs: [{ targets: ${JSON.stringify(others)} }] }`;
  writeFileSync(`${folder}/prometheus.yml`, config);
  const words = `--config.file=${folder}/prometheus.yml --storage.tsdb.path=${folder}/tsdb`;
  const prometheus = member({
    name: "prometheus",
    command: ["sh", "-c", `exec prometheus ${words} --web.listen-address=${address}`],
    isReady: async () => (await fetch(`http://${address}/-/ready`).catch(() => null))?.ok === true,
  });
  await prometheus.start();
  async function firing(): Promise<Set<string>> {
    const text = await (await fetch(`http://${address}/api/v1/alerts`)).text();
    const found = /"RedPacket(\w+)"[^}]*\},"annotations":\{[^}]*\},"state":"firing"/g;
    return new Set([...text.matchAll(found)].map(([, name = ""]) => name));
  }
  /** Waits until all of these fire, or none does; answers the ones that did not follow. */
  async function until(names: readonly string[], areFiring: boolean): Promise<readonly string[]> {
    let left = names;
    for (let tries = 180; left.length > 0 && tries > 0; tries -= 1) {
      await sleep(500);
      const now = await firing();
      left = names.filter((name) => now.has(name) !== areFiring);
    }
    return left;
  }
  return { firing, until, leave: prometheus.leave };
}

/**
 * The server and all that it needs, under load, judged by the rules as `hasty` changes them; two disks of `size`, and two
 * more servers for later: of another release, and of another time.
 */
async function openPlace(folder: string, size: string, hasty: string, every: string) {
  const ports = await Promise.all(Array.from({ length: 7 }, freePort));
  const [own = 0, older = 0, ahead = 0, walletPort = 0, main = 0, second = 0, disks = 0] = ports;
  const [disk, other] = [`${folder}/${own}`, `${folder}/other`] as const;
  const [db, copy] = [`${folder}/db`, `${folder}/copy`] as const;
  sh(`mkdir -p ${disk} ${other} ${db} ${copy} ${OLDER}
    for at in ${disk} ${other}; do mount -t tmpfs -o size=${size} tmpfs $at; done
    cp -r ${DIST}/. ${OLDER}; sed -i 's/version: "0/version: "0.0/' ${OLDER}/main.js`);
  const postgres = startPostgres(db, main);
  postgres.stop();
  const set = `archive_mode=on\narchive_command='test ! -e ${db}/full'\nsynchronous_standby_names='ANY 1 (*)'\n`;
  writeFileSync(`${db}/pg/postgresql.auto.conf`, set, { flag: "a" });
  postgres.start();
  const standby = startPostgres(copy, second, main);
  const common = commonOf(postgres.url, `https://${at(walletPort)}`);
  const env = { ...common, NODE_EXTRA_CA_CERTS: AUTHORITY };
  const server = (port: number, dist: string, more = {}) =>
    member({
      name: `server ${port}`,
      command: [process.execPath, `${dist}/main.js`],
      env: { ...env, DATA_DIR: `${folder}/${port}`, PORT: String(port), ROLE: "web", ...more },
      isReady: () => isReady(`http://${at(port)}`),
    });
  const time = { LD_PRELOAD: FAKETIME, FAKETIME: "+60s", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  const [one, old] = [server(own, DIST, { ROLE: "all" }), server(older, OLDER)];
  const servers = [one, old, server(ahead, DIST, time)] as const;
  await one.start();
  const walletAt = { PORT: String(walletPort), HOST: "127.0.0.1", TLS: "on" };
  const site = await openSite(folder, `http://${at(own)}`, { ...env, DATA_DIR: disk }, walletAt);
  const prometheus = await openPrometheus(folder, hasty, every, [own, older, ahead, disks]);
  const exporter = member({
    name: "node exporter",
    command: ["/usr/bin/prometheus-node-exporter", `--web.listen-address=${at(disks)}`],
  });
  await exporter.start();
  const { load, acks } = await beginTrial(site, folder, SEED);
  async function close(): Promise<void> {
    await load.stop();
    await site.database.close();
    [standby, postgres].forEach((one) => one.stop());
    [...servers, site.wallet, prometheus, exporter].forEach((one) => one.leave());
    sh(`umount -l ${disk} ${other}`);
  }
  return { disk, other, db, postgres, standby, servers, site, prometheus, load, acks, close };
}

/** How to break what each alert watches, and how to mend it. */
function blowsOf(
  place: Awaited<ReturnType<typeof openPlace>>,
): [names: string, strike: () => unknown, mend: () => unknown][] {
  const { disk, other, db, postgres, standby, site, servers } = place;
  const { database, operator, wallet, tellWallet, redctl } = site;
  const [server, older, ahead] = servers;
  const wal = (how: string) => () => sh(`psql -c "select pg_wal_replay_${how}()" ${standby.url}`);
  const archive = (how: string) => () =>
    sh(`${how} ${db}/full; psql -c "select pg_switch_wal()" ${postgres.url}`);
  const hold = (what: string, seconds: number, times: number) => () =>
    sh(`for i in $(seq ${times}); do
      psql ${postgres.url} -c "begin; ${what}; select pg_sleep(${seconds})"; done > /dev/null 2>&1 &`);
  const free = () =>
    database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where query ~ 'sleep.\\d'`,
    );
  const show = (certificate: string) => async () => {
    await tellWallet({ mode: "pay", certificate });
    server.signal("SIGKILL");
    await server.ended(5_000);
    await server.start();
  };
  async function doubt(): Promise<void> {
    await tellWallet({ mode: "processing", by: "query", seconds: 30 });
    await sleep(5_000);
    await database.rows(`update payout set next_at = now(),
      unknown_since = unknown_since - interval '3 days' where state = 'unknown'`);
  }
  async function settle(): Promise<void> {
    await tellWallet({ mode: "pay" });
    await sleep(30_000);
    const rows = await database.rows("select log_id from payout where state = 'check'");
    const log_ids = rows.map((row): unknown => row["log_id"]);
    await operator.data("PUT", "/gred/api/record/ask", { log_ids });
  }
  function crowd(): void {
    hold("lock table operator in access exclusive mode", 90, 1)();
    const list = () => operator.call("GET", "/gred/api/act/list", null).catch(() => null);
    void Promise.all(Array.from({ length: 20 }, () => list().then(list).then(list)));
  }
  const fill = (place: string) => () => sh(`head -c 60M /dev/zero > ${place}/f`);
  const hooks = (words: string) => () => redctl(`webhooks ${words}`);
  return [
    ["Down", () => server.signal("SIGKILL"), server.start],
    ["NotReady Errors", postgres.stop, postgres.start],
    ["DrawsSlow", hold("lock table draw_request in access exclusive mode", 3, 8), free],
    ["WalletInTrouble PayoutsGrow", () => wallet.signal("SIGKILL"), wallet.start],
    ["PayoutsToCheck", doubt, settle],
    ["SealingBehind UpkeepStuck", hold("select pg_advisory_lock(hashtext('seal'))", 90, 1), free],
    ["WebhooksWaiting", hooks("set http://127.0.0.1:1/"), hooks("remove")],
    ["PoolExhausted", crowd, free],
    ["DiskFull", fill(disk), () => rmSync(`${disk}/f`)],
    ["DiskFull", fill(other), () => rmSync(`${other}/f`)],
    ["WalletCertificateEnds", show("expired"), show("good")],
    ["ClockOff", ahead.start, ahead.leave],
    ["StandbyBehind", wal("pause"), wal("resume")],
    ["ArchiveFailing", archive("touch"), archive("rm")],
    ["DatabaseUnsafe", standby.stop, standby.start],
    ["ReleasesMixed", older.start, older.leave],
  ];
}

async function breakAll(folder: string): Promise<void> {
  const place = await openPlace(folder, "64m", HASTY, "1s");
  const { site, prometheus } = place;
  await sleep(20_000);
  sh(`curl -s ${site.base}/metrics | promtool check metrics`);
  const blows = blowsOf(place);
  const early = await prometheus.until(
    blows.flatMap(([names]) => names.split(" ")),
    false,
  );
  claim("nothing fires at first", early.length === 0, early);
  for (const [what, strike, mend] of blows) {
    await part(what, async () => {
      await strike();
      const from = Date.now();
      const late = await prometheus.until(what.split(" "), true);
      claim(`${what} after ${Date.now() - from} ms`, late.length === 0, late);
      await mend();
      const rest = await prometheus.until(what.split(" "), false);
      claim("and no more once it is mended", rest.length === 0, rest);
    });
  }
  await place.close();
}

/** Normal work under the rules as they are. */
async function keepQuiet(folder: string): Promise<void> {
  const { prometheus, load, acks, close } = await openPlace(folder, "4g", "", "15s");
  const fired = new Set<string>();
  for (const end = Date.now() + MINUTES * 60_000; Date.now() < end; await sleep(15_000)) {
    (await prometheus.firing()).forEach((name) => fired.add(name));
  }
  claim(`no alert in ${MINUTES} minutes of work`, fired.size === 0, [...fired]);
  const isDone = load.faults.length === 0 && acks.drawn.size > 100 * MINUTES;
  claim("and players drew all the time", isDone, [acks.drawn.size, ...load.faults.slice(0, 3)]);
  await close();
}

async function alerts(folder: string): Promise<void> {
  install(
    ["/usr/bin/prometheus", "/usr/bin/prometheus-node-exporter", FAKETIME],
    "prometheus prometheus-node-exporter libfaketime",
  );
  sh(
    `cd deploy/prometheus && promtool check rules alerts.yml && promtool test rules alerts.test.yml`,
  );
  const parts = { "each alert": breakAll, [`${MINUTES} minutes of work`]: keepQuiet };
  for (const [what, run] of Object.entries(parts)) {
    const place = `${folder}/${run.name}`;
    mkdirSync(place, { mode: 0o755 });
    await heldOnce("alerts", what, () => run(place));
  }
}

await prove("alerts", alerts);
