/** Creates a cluster, and in it the program's database and role. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { hasSqlState } from "#platform/db/constraints";
import { chooseAccount, handOver, runAs } from "./account.ts";
import type { Account } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { choosePlace, ensureDataFolder, findPlace, placeAt } from "./place.ts";
import type { Place } from "./place.ts";

const run = promisify(execFile);

/** Only the supervisor uses this role. A superuser can connect even when all other connections are taken. */
export const SUPERUSER = "red_packet_supervisor";
/** Name of the program's role and database. The role has the rights of an owner, as on any other PostgreSQL. */
export const APPLICATION = "red_packet";

export interface Cluster {
  readonly place: Place;
  readonly account: Account | null;
  readonly binaries: string;
  readonly password: string;
  readonly isNew: boolean;
}

/** Creates the cluster in a draft folder and then renames the folder. So a cluster is complete or does not exist. */
async function createCluster(place: Place, account: Account | null, binaries: string) {
  const draft = placeAt(mkdtempSync(`${place.root}.draft-`));
  try {
    chmodSync(draft.root, 0o711);
    mkdirSync(draft.data, { mode: 0o700 });
    writeFileSync(draft.password, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    handOver(account, draft.data);
    handOver(account, draft.password);
    const options = [
      ["-D", draft.data, "-U", SUPERUSER, "-A", "scram-sha-256", `--pwfile=${draft.password}`],
      ["-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions"],
    ].flat();
    await run(path.join(binaries, "bin/initdb"), options, runAs(account));
    renameSync(draft.root, place.root);
  } catch (error) {
    rmSync(draft.root, { recursive: true });
    // Another process was faster, so this process uses that cluster.
    if (!existsSync(place.data)) {
      throw new Error(`the embedded database could not be made in ${place.root}`, { cause: error });
    }
  }
}

export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const folder = ensureDataFolder(dataDir);
  const found = findPlace(folder);
  const account = chooseAccount(found === null ? null : found.data);
  const binaries = await findBinaries(account, folder);
  const place = found ?? choosePlace(folder, account);
  if (found === null) {
    await createCluster(place, account, binaries);
  }
  const password = readFileSync(place.password, "utf8").trim();
  return { place, account, binaries, password, isNew: found === null };
}

/** Another process may create the same object at the same time. */
async function createUnlessThere(client: pg.Client, exists: string, create: string) {
  const { rowCount } = await client.query(exists, [APPLICATION]);
  if (rowCount !== 0) {
    return;
  }
  try {
    await client.query(create);
  } catch (error) {
    if (!hasSqlState(error, "42710", "42P04", "23505")) {
      throw error;
    }
  }
}

export async function ensureApplication(client: pg.Client, password: string): Promise<void> {
  await createUnlessThere(
    client,
    "select 1 from pg_roles where rolname = $1",
    `create role ${APPLICATION} login createdb password ${client.escapeLiteral(password)}`,
  );
  await createUnlessThere(
    client,
    "select 1 from pg_database where datname = $1",
    `create database ${APPLICATION} owner ${APPLICATION} template template0`,
  );
}
