/** Three machines of PostgreSQL under Patroni, three of etcd and a balancer, from the files of deploy/. */
import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { install } from "../outside/debian.ts";
import { member } from "../outside/kill/member.ts";
import { dig, listAt, textAt } from "../outside/json.ts";
import { say } from "../outside/proof.ts";
import type { Network } from "./network.ts";

export const DATABASES = ["db1", "db2", "db3"] as const;
export const ETCDS = ["etcd1", "etcd2", "etcd3"] as const;
const PASSWORD = "a password of the proof";
const READY_MS = 120_000;

const idOf = (kind: "-u" | "-g") => Number(execFileSync("id", [kind, "postgres"]));

function etcd(net: Network, name: string, folder: string) {
  const text = readFileSync("deploy/patroni/etcd.env", "utf8")
    .replaceAll(/\b(?:THIS|NAME)\b/g, (word) => (word === "THIS" ? net.addressOf(name) : name))
    .replaceAll(/ADDRESS(\d)/g, (_, which: string) => net.addressOf(`etcd${which}`));
  const env = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, ...pair]) => pair));
  return member({
    name,
    command: net.on(name, "etcd --log-level error"),
    env: { ...env, ETCD_DATA_DIR: path.join(folder, name) },
  });
}

/** A certificate for all three and the balancer before them. */
function makeCertificate(net: Network, folder: string): void {
  const names = [...DATABASES, "lb"].map((name) => `IP:${net.addressOf(name)}`).join(",");
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=db
    -addext subjectAltName=${names} -keyout ${folder}/server.key -out ${folder}/server.crt`;
  execFileSync("openssl", words.split(/\s+/), { stdio: "ignore" });
}

function patroni(net: Network, name: string, folder: string) {
  const at = net.addressOf(name);
  // There it is its own /etc/patroni.
  const own = `/etc/netns/red-${name}/patroni`;
  mkdirSync(own, { recursive: true });
  for (const file of ["server.crt", "server.key"]) {
    cpSync(path.join(folder, file), path.join(own, file));
    chownSync(path.join(own, file), idOf("-u"), idOf("-g"));
  }
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  chownSync(place, idOf("-u"), idOf("-g"));
  const run = "exec setpriv --reuid=postgres --regid=postgres --clear-groups patroni";
  const accounts = { SUPERUSER: "postgres", REPLICATION: "replicator", REWIND: "rewinder" };
  return member({
    name,
    // A folder of its own for sockets: all machines here share the disk.
    command: [
      ...net.on(name, "sh -c"),
      `mount -t tmpfs -o mode=1777 tmpfs /run/postgresql; ${run} deploy/patroni/patroni.yml`,
    ],
    env: {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `${at}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${at}:8008`,
      PATRONI_ETCD_HOSTS: ETCDS.map((one) => `${net.addressOf(one)}:2379`).join(","),
      PATRONI_POSTGRESQL_LISTEN: `${at},127.0.0.1:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${at}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: path.join(place, "data"),
      PATRONI_POSTGRESQL_PGPASS: path.join(place, "pgpass"),
      ...Object.fromEntries(
        Object.entries(accounts).flatMap(([kind, account]) => [
          [`PATRONI_${kind}_USERNAME`, account],
          [`PATRONI_${kind}_PASSWORD`, PASSWORD],
        ]),
      ),
    },
  });
}

/** Starts the cluster; it is whole when one leads and one is its synchronous standby. */
export async function openCluster(net: Network, folder: string) {
  install(
    ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy", "/usr/lib/postgresql/15"],
    "patroni python3-etcd etcd-server etcd-client haproxy postgresql-15",
  );
  makeCertificate(net, folder);
  const members = [
    ...ETCDS.map((name) => etcd(net, name, folder)),
    ...DATABASES.map((name) => patroni(net, name, folder)),
  ];
  const balancer = member({
    name: "lb",
    command: net.on("lb", "haproxy -W -db -f deploy/haproxy/haproxy.cfg"),
    env: {
      BIND: net.addressOf("lb"),
      ...Object.fromEntries(DATABASES.map((name) => [name.toUpperCase(), net.addressOf(name)])),
      WEB1: `${net.addressOf("web1")}:8080`,
      WEB2: `${net.addressOf("web2")}:8080`,
    },
  });
  await Promise.all([...members, balancer].map((one) => one.start()));

  /** Who has which part, as the machines that answer see it. */
  async function parts(): Promise<{ name: string; role: string; state: string }[]> {
    for (const name of DATABASES) {
      try {
        const url = `http://${net.addressOf(name)}:8008/cluster`;
        const told: unknown = await (
          await fetch(url, { signal: AbortSignal.timeout(2_000) })
        ).json();
        return listAt(told, "members").map((one) => ({
          name: textAt(one, "name"),
          role: textAt(one, "role"),
          state: String(dig(one, "state")),
        }));
      } catch {
        // Another machine may answer.
      }
    }
    return [];
  }

  async function who(role: "leader" | "sync_standby"): Promise<string | null> {
    const found = (await parts()).find((one) => one.role === role && one.state === "running");
    return found?.name ?? null;
  }

  /** Waits until all three databases run, one of them as synchronous standby. */
  async function whole(): Promise<void> {
    const giveUp = Date.now() + READY_MS;
    for (;;) {
      const now = await parts();
      const running = now.filter(({ state }) => state === "running" || state === "streaming");
      if (running.length === DATABASES.length && now.some(({ role }) => role === "sync_standby")) {
        return;
      }
      if (Date.now() > giveUp) {
        say(members.map((one) => `${one.name}: ${one.output().slice(-600)}`).join("\n"));
        throw new Error(`the cluster is not whole: ${JSON.stringify(now)}`);
      }
      await sleep(500);
    }
  }
  await whole();
  /** Address of one machine's database, as the superuser. */
  const urlOf = (name: string) =>
    `postgres://postgres:${encodeURIComponent(PASSWORD)}@${net.addressOf(name)}:5432/postgres?sslmode=verify-full&sslrootcert=${folder}/server.crt`;
  return {
    members: new Map([...members, balancer].map((one) => [one.name, one])),
    who,
    whole,
    /** Through the balancer. */
    url: urlOf("lb"),
    urlOf,
  };
}
