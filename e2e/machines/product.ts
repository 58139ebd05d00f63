/** The product on machines of its own, on the database of a cluster: two web processes behind the balancer, and a worker. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { askPostgres } from "../outside/postgres.ts";
import { member } from "../outside/kill/member.ts";
import { commonOf, openSite } from "../outside/kill/stage.ts";
import { isReady } from "../outside/server.ts";
import { DATABASES, ETCDS, openCluster } from "./cluster.ts";
import { openNetwork, OUTSIDE } from "./network.ts";

const WALLET_PORT = "18090";
const PORT = "8080";
export const PRODUCT = ["web1", "web2", "worker"] as const;

/** All machines; the product's are still empty. */
export async function openMachines(folder: string) {
  const net = openNetwork([...DATABASES, ...ETCDS, "lb", ...PRODUCT]);
  return { net, cluster: await openCluster(net, folder) };
}

export type Machines = Awaited<ReturnType<typeof openMachines>>;

async function makeDatabase(url: string, name: string): Promise<string> {
  await askPostgres(url, `create role ${name} login password '${name}' in role pg_monitor`);
  await askPostgres(url, `create database ${name} owner ${name}`);
  const made = new URL(url);
  [made.username, made.password, made.pathname] = [name, name, `/${name}`];
  return made.href;
}

/**
 * Starts the product of the tree `from` on a database called `name`, with what the load works with; `folder`, which is
 * made, takes its data. `replace` changes a process for that of another tree, or of a build of it, whose redctl is used from
 * then on.
 */
export async function openProduct(
  { net, cluster }: Machines,
  folder: string,
  name: string,
  from = ".",
) {
  mkdirSync(folder);
  const databaseUrl = await makeDatabase(cluster.url, name);
  const common = {
    ...commonOf(databaseUrl, `http://localhost:${WALLET_PORT}`),
    DATABASE_READ_URL: databaseUrl.replace(":5432", ":5433"),
  };
  const dataOf = (machine: string) => path.join(folder, machine);
  const distOf = (place: string) => path.resolve(place, "packages/server/dist");
  function make(machine: string, dist: string) {
    const HOST = net.addressOf(machine);
    // The wallet's name leads outside: plain http is allowed to this name only.
    mkdirSync(`/etc/netns/red-${machine}`, { recursive: true });
    writeFileSync(`/etc/netns/red-${machine}/hosts`, `${OUTSIDE} localhost\n`);
    const ROLE = machine === "worker" ? "worker" : "web";
    return member({
      name: machine,
      command: net.on(machine, `${process.execPath} ${dist}/main.js`),
      env: { ...common, HOST, PORT, ROLE, TRUST_PROXY: "1", DATA_DIR: dataOf(machine) },
      isReady: () => isReady(`http://${HOST}:${PORT}`),
    });
  }
  let tree = from;
  const members = PRODUCT.map((machine) => make(machine, distOf(from)));
  // The first brings the schema.
  for (const one of members) {
    await one.start();
  }
  const env = { ...common, DATA_DIR: dataOf("worker") };
  const walletAt = { PORT: WALLET_PORT, HOST: "0.0.0.0" };
  const base = `http://${net.addressOf("lb")}:${PORT}`;
  const site = await openSite(folder, base, env, walletAt, () => path.resolve(tree));
  return {
    members,
    site,
    databaseUrl,
    /** Answers whether the process before has ended in time. */
    async replace(at: number, by: string, dist = distOf(by)): Promise<boolean> {
      members[at]?.leave();
      const hasEnded = (await members[at]?.ended(10_000)) === true;
      const next = make(PRODUCT[at] ?? PRODUCT[0], dist);
      members[at] = next;
      await next.start();
      tree = by;
      return hasEnded;
    },
    async close(): Promise<void> {
      await site.database.close();
      for (const one of [...members, site.wallet]) {
        one.leave();
        await one.ended(15_000);
      }
    },
  };
}
