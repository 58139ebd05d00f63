/** Checks an installation, with one function per subject and advice for each problem. */
import { DAY_MS } from "@red/contract/platform/datetime";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { isSecretKeyRight } from "#platform/secret-canary";
import { secretBox } from "#platform/secret-box";
import { reasonOf } from "#platform/http/answer";
import type { Call, Command, Report } from "./command.ts";
import { ensureSecretKey } from "#platform/config";
import type { Config, WalletConfig } from "#platform/config";
import { openDb, openPool, TOO_MANY_CONNECTIONS } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { selectFact } from "#platform/db/installation-sql";
import { CHUNK_CHANNEL } from "#events/event-chunk-sql";
import { readWalletHealth } from "#payouts/wallet-routes";
import { walletClient } from "#payouts/wallet-client";
import { readSchemaState, schemaFault } from "#platform/db/migrate";
import { readCertificate, readDiskSpace } from "#platform/host-metrics";
import {
  ADVICE,
  readTopology,
  selectSilentWorkers,
  synchronousOf,
  topologyFaults,
} from "#platform/db/topology";
import type { Topology } from "#platform/db/topology";
import { sql } from "kysely";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** Null if the check passed. */
  readonly advice: string | null;
}

const NODE_MIN = [20, 19] as const;
const POSTGRES_MIN = 15;
const FREE_MIN = 1e9;
const FREE_SHARE_MIN = 0.1;
const CERTIFICATE_MS_MIN = 14 * DAY_MS;
/** One-time codes (30 s) and signatures (300 s) fail if the clocks differ by much more. */
const SKEW_SECONDS_MAX = 5;
/** With fewer rows, the pages of empty indexes would take most of the measured space. */
const ROOM_ROWS_MIN = 1_000;

function good(name: string, found: string): Finding {
  return { name, ok: true, found, advice: null };
}

function bad(name: string, found: string, advice: string): Finding {
  return { name, ok: false, found, advice };
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  return isEnough
    ? good("node", version)
    : bad("node", version, `install Node ${NODE_MIN.join(".")} or newer`);
}

function nearestFolder(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestFolder(parent);
}

/** Tries to write, because file modes do not show a full or read-only disk. */
async function checkDataFolder(dataDir: string): Promise<Finding> {
  const isThere = existsSync(dataDir);
  try {
    const trial = await mkdtemp(path.join(nearestFolder(dataDir), ".red-doctor-"));
    await rm(trial, { recursive: true });
    return good("data folder", isThere ? dataDir : `${dataDir} (not made yet)`);
  } catch (fault) {
    const advice = "make it writable for this account, or choose another DATA_DIR";
    return bad("data folder", `${dataDir}: ${reasonOf(fault)}`, advice);
  }
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;

async function checkDisk(dataDir: string): Promise<Finding> {
  const { free, size } = await readDiskSpace(nearestFolder(dataDir));
  const found = `${gigabytes(free)} of ${gigabytes(size)} free`;
  return free >= FREE_MIN && free >= size * FREE_SHARE_MIN
    ? good("disk", found)
    : bad("disk", found, "make room where DATA_DIR is: files of exports and anchors need it");
}

async function checkVersion(db: Db): Promise<Finding> {
  const { rows } = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number,
      current_setting('server_version') as name`.execute(db);
  const { number = "0", name = "" } = rows[0] ?? {};
  return Math.floor(Number(number) / 10_000) >= POSTGRES_MIN
    ? good("database", `PostgreSQL ${name}`)
    : bad("database", `PostgreSQL ${name}`, `use PostgreSQL ${POSTGRES_MIN} or newer`);
}

function checkClock({ skew }: Topology): Finding {
  const found = `the database's clock is ${Math.abs(skew).toFixed(1)} s ${skew < 0 ? "behind" : "ahead"}`;
  return Math.abs(skew) <= SKEW_SECONDS_MAX
    ? good("clock", found)
    : bad("clock", found, "let both machines set their clocks by the network (NTP)");
}

async function checkSchema(db: Db): Promise<Finding> {
  const state = await readSchemaState(db);
  const fault = schemaFault(state);
  if (fault !== null) {
    const advice =
      state.program < state.oldest ? "install the newer release" : "run redctl migrate";
    return bad("schema", fault, advice);
  }
  return good(
    "schema",
    state.ahead.length === 0 ? "up to date" : `a newer release's: ${state.database}`,
  );
}

/**
 * Names of players must not stay in the log of PostgreSQL, because erasing a player does not change that
 * log (behaviour §3).
 */
async function checkLog(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ found: string }>`
    select name || ' is ' || setting as found
    from pg_settings, (
      select coalesce(bool_or(setting <> case name when 'log_statement' then 'none'
        when 'log_transaction_sample_rate' then '0' else '-1' end), false) as is_logging from pg_settings
      where name in ('log_statement', 'log_min_duration_statement', 'log_min_duration_sample', 'log_transaction_sample_rate')) s
    where case name
      -- These two print the values of a refused row.
      when 'log_error_verbosity' then setting <> 'terse'
      when 'log_parameter_max_length_on_error' then setting <> '0'
      when 'log_parameter_max_length' then is_logging and setting <> '0'
      when 'auto_explain.log_min_duration' then setting <> '-1'
      when 'pgaudit.log_parameter' then setting = 'on'
      else name like 'debug\_print\_p%' and name <> 'debug_print_pretty' and setting = 'on' end
    order by name`.execute(db);
  const advice =
    "PostgreSQL's log would hold names that erasing does not reach: set log_error_verbosity to terse, lengths of parameters to 0, others to what they are by default";
  return rows.map(({ found }) => bad("database log", found, advice));
}

/** Checks that a second machine has every commit. */
async function checkTopology(db: Db, facts: Topology, config: Config): Promise<Finding[]> {
  const { databaseUrl, role } = config;
  const name = "topology";
  if (databaseUrl === null) {
    const found = "one embedded database: for trials";
    const advice = `ROLE is ${role}: set DATABASE_URL, since an embedded database belongs to one process`;
    return [role === "all" ? good(name, found) : bad(name, found, advice)];
  }
  const silent = (await selectSilentWorkers(db)).map((node) => ({
    found: `worker ${node} does not answer`,
    advice:
      "start its PostgreSQL: until then no deposits and bets are taken, and those of its players are not read",
  }));
  const faults = [...topologyFaults(facts), ...silent].map(({ found, advice }) =>
    bad(name, found, advice),
  );
  const found = `standbys: ${facts.standbys.length}, synchronous: ${synchronousOf(facts)}`;
  return faults.length > 0 ? faults : [good(name, found)];
}

/** Checks that DATABASE_READ_URL can be reached and is a standby of this database. */
async function checkReadDatabase(db: Db, address: string | null): Promise<Finding[]> {
  const name = "read database";
  if (address === null) {
    return [];
  }
  const options = { max: 1, name: "redctl", statementTimeoutMs: 5_000, onFault: () => {} };
  const standby = openDb(openPool({ connectionString: address }, options));
  try {
    const [own, its] = await Promise.all([db, standby].map((one) => selectFact(one, "secret_key")));
    return [
      own === its
        ? good(name, "answers")
        : bad(name, "is another database", "let DATABASE_READ_URL lead to a standby of this one"),
    ];
  } catch (fault) {
    const advice = "check DATABASE_READ_URL, or unset it: until it answers files and figures fail";
    return [bad(name, reasonOf(fault), advice)];
  } finally {
    await standby.destroy();
  }
}

const KEYS = "check WALLET_KEY, WALLET_SECRET and the clocks of both sides";

/** Checks that a worker runs and that the wallet accepts payouts. */
async function checkPayouts(db: Db, timeZone: string): Promise<Finding[]> {
  const { rows } = await sql<{ web: number; workers: number; is_standby: boolean }>`
    select pg_is_in_recovery() as is_standby,
      count(*) filter (where application_name ~ '^red-packet (web|draws|probe)') as web,
      count(*) filter (where application_name = ${`red-packet listen ${CHUNK_CHANNEL}`}) as workers
    from pg_stat_activity where datname = current_database()`.execute(db);
  const { web = 0, workers = 0, is_standby = false } = rows[0] ?? {};
  const { trouble, waiting } = await readWalletHealth(db, timeZone);
  const found = `workers: ${workers}, waiting: ${waiting.count}`;
  const answer = `the wallet is in trouble since ${trouble?.since}: ${trouble?.last_answer}`;
  // A standby does not see the connections of the primary.
  const isAlone = workers === 0 && !is_standby && (web > 0 || waiting.count > 0);
  const alone = "start a process with ROLE=worker: until then nothing is paid or sealed";
  const status = /\d+/.exec(trouble?.last_answer ?? "")?.[0];
  const cures: Readonly<Record<string, string>> = {
    404: "check the path in WALLET_URL",
    401: KEYS,
  };
  const cure = cures[status ?? ""] ?? "call the wallet's owner";
  return [
    isAlone ? bad("worker", found, alone) : good("worker", found),
    ...(trouble === null ? [] : [bad("payouts", answer, cure)]),
  ];
}

interface Usage {
  readonly what: string;
  readonly rows: number;
  readonly table_bytes: number;
  readonly index_bytes: number;
}

/**
 * Measures disk space per million draws (with requests, payouts and attempts), deposits and bets. Row
 * counts are from the last analyze.
 */
async function measureRoom(db: Db): Promise<Finding> {
  const { rows } = await sql<Usage>`
    select what, sum(greatest(c.reltuples, 0)) filter (where counts)::float8 as rows,
      sum(pg_table_size(c.oid))::float8 as table_bytes, sum(pg_indexes_size(c.oid))::float8 as index_bytes
    from (values ('draws', 'draw_record', true), ('draws', 'draw_request', false),
        ('draws', 'payout', false), ('draws', 'payout_attempt', false),
        ('deposits', 'deposit', true), ('bets', 'bet', true)) as t (what, name, counts)
    cross join lateral pg_partition_tree(t.name::regclass) as p
    join pg_class c on c.oid = p.relid and c.relkind = 'r'
    group by what order by what desc`.execute(db);
  const measured = rows
    .filter((usage) => usage.rows >= ROOM_ROWS_MIN)
    .map(({ what, rows: count, table_bytes, index_bytes }) => {
      const [table, index] = [table_bytes, index_bytes].map((bytes) => (bytes * 1e6) / count);
      return `${what} ${gigabytes(table ?? 0)} and ${gigabytes(index ?? 0)} of indexes`;
    });
  return good(
    "disk per million",
    measured.length === 0 ? "too few rows to say" : measured.join(", "),
  );
}

/** Checks the key against its canary, without creating a key or a canary. */
async function checkSecretKey(db: Db, config: Config): Promise<Finding> {
  const name = "secret key";
  const file = path.join(config.dataDir, "secret-key");
  if (config.secretKey === null && !existsSync(file)) {
    const empty = secretBox(Buffer.alloc(32));
    return (await isSecretKeyRight(db, empty)) === null
      ? good(name, "none yet, made when it is needed")
      : bad(name, `${file} is gone`, "put it back from a backup, or set SECRET_KEY to the old one");
  }
  try {
    const key = config.secretKey ?? ensureSecretKey(config.dataDir);
    const secrets = secretBox(key);
    const isRight = await isSecretKeyRight(db, secrets);
    return isRight === false
      ? bad(name, "does not open what this database holds", "give the old SECRET_KEY back")
      : good(
          name,
          `${isRight === true ? "opens what it sealed" : "nothing sealed yet"}; checkpoint key ${secrets.publicKey}`,
        );
  } catch (fault) {
    return bad(name, reasonOf(fault), "put it back from a backup");
  }
}

const WALLET_MS = 10_000;

function adviceFor(status: number | null): string {
  if (status === null) {
    return "check WALLET_URL, whether the wallet runs, and the network between";
  }
  return status === 401 || status === 403
    ? KEYS
    : "it should answer 404 there: check WALLET_URL, or call its owner";
}

/** Returns an empty list if the wallet cannot be reached, because `checkWallet` reports that. */
async function checkCertificate(wallet: WalletConfig | null): Promise<Finding[]> {
  const name = "wallet certificate";
  const asked = wallet?.url.startsWith("https:") === true ? readCertificate(wallet.url) : null;
  const certificate = await asked?.catch(() => null);
  if (!certificate) {
    return [];
  }
  const { ends, fault } = certificate;
  const found = `ends ${ends.toISOString().slice(0, 10)}${fault === null ? "" : `: ${fault}`}`;
  if (ends.getTime() - Date.now() < CERTIFICATE_MS_MIN) {
    return [bad(name, found, "let the wallet's owner renew its certificate")];
  }
  const advice =
    "check that WALLET_URL has the name in the wallet's certificate, and NODE_EXTRA_CA_CERTS its authority";
  return [fault === null ? good(name, found) : bad(name, found, advice)];
}

/** Asks the wallet about a payout that never existed, which changes nothing. */
async function checkWallet(wallet: WalletConfig | null, certificate?: Finding): Promise<Finding> {
  const name = "wallet";
  if (wallet === null) {
    return good(name, "none configured, payouts wait or go to the demo");
  }
  const client = walletClient(wallet, WALLET_MS);
  const neverMade = {
    trans_sn: `doctor-${randomBytes(8).toString("hex")}`,
    player_id: "doctor",
    user_name: "doctor",
    amount: "0.01",
    turnover: 1,
    red_code: "doctor",
    rounds_id: 1,
    created_at: new Date().toISOString(),
  };
  const answer = await client.ask(neverMade, AbortSignal.timeout(WALLET_MS));
  client.close();
  if (answer.word.kind === "never_seen") {
    return good(name, `${wallet.url} answers a question`);
  }
  const said = answer.word.kind === "unclear" ? answer.word.why : answer.word.kind;
  const { http_status } = answer;
  const advice = (http_status === null ? certificate?.advice : null) ?? adviceFor(http_status);
  return bad(name, `${wallet.url}: ${said}`, advice);
}

async function examineDatabase(call: Call): Promise<Finding[]> {
  try {
    const db = await call.open("found");
    const facts = await readTopology(db);
    const findings = [
      await checkVersion(db),
      ...(await checkTopology(db, facts, call.config)),
      checkClock(facts),
      ...(await checkLog(db)),
    ];
    const schema = await checkSchema(db);
    findings.push(schema);
    // Without the schema there is no canary to check and no table to measure.
    if (schema.ok) {
      const { businessTimeZone, databaseReadUrl } = call.config;
      findings.push(
        await checkSecretKey(db, call.config),
        ...(await checkReadDatabase(db, databaseReadUrl)),
        ...(await checkPayouts(db, businessTimeZone)),
        await measureRoom(db),
      );
    }
    return findings;
  } catch (fault) {
    const advice = hasSqlState(fault, TOO_MANY_CONNECTIONS)
      ? ADVICE.connections
      : "see whether PostgreSQL runs, under Patroni two of three etcd too, and check DATABASE_URL or DATA_DIR";
    return [bad("database", reasonOf(fault), advice)];
  }
}

async function run(call: Call): Promise<Report> {
  const { dataDir, wallet } = call.config;
  const certificate = await checkCertificate(wallet);
  const findings = [
    checkNode(process.versions.node),
    await checkDataFolder(dataDir),
    await checkDisk(dataDir),
    ...(await examineDatabase(call)),
    ...certificate,
    await checkWallet(wallet, certificate[0]),
  ];
  const width = Math.max(...findings.map(({ name }) => name.length));
  const isFault = findings.some(({ ok }) => !ok);
  return {
    json: { ok: !isFault, checks: findings },
    lines: findings.map(({ name, ok, found, advice }) => {
      const line = `${ok ? "ok   " : "FAULT"}  ${name.padEnd(width)}  ${found}`;
      return advice === null ? line : `${line}; ${advice}`;
    }),
    isFault,
  };
}

export const doctorCommand: Command = {
  name: "doctor",
  summary: "examine this installation; exit code 1 when something is wrong",
  run,
};
