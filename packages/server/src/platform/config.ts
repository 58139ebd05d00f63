/** Reads and checks the environment at start, and reports all errors together. No other module reads `process.env`. */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { RED_CODE_LENGTH_MAX } from "@red/contract/platform/limits";
import { STOCK_SHOWN } from "@red/contract/draws/player-page";
import * as z from "zod/mini";
import {
  isHost,
  isLoopback,
  isPostgresUrl,
  isTimeZone,
  isCallableUrl,
  keyOf,
  oneOf,
  printable,
  SECRET_KEY_LENGTH_MIN,
  secret,
  trustProxy,
  variable,
  wholeNumber,
} from "./config-values.ts";

export const ADMIN_PASSWORD_LENGTH_MIN = 12;
export const AUDIT_DAYS_MIN = 180;

export interface WalletConfig {
  /** The URL has no slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each variable may be given as `<name>_FILE` instead: the path of a file that contains the value. */
const SECRETS = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "WALLET_KEY",
  "WALLET_SECRET",
  "ADMIN_PASSWORD",
  "SECRET_KEY",
];

const databaseUrl = z.optional(
  secret(
    "is not a PostgreSQL address: give postgres://user:password@host:5432/database",
    isPostgresUrl,
  ),
);

/** `.env.example` describes these variables. */
const environment = z.object({
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  HOST: z._default(
    variable("give an address or a host name, such as 127.0.0.1 or 0.0.0.0", isHost),
    "127.0.0.1",
  ),
  DATA_DIR: z.prefault(
    z.pipe(
      z.string(),
      z.transform((folder) => path.resolve(folder)),
    ),
    "./data",
  ),
  DATABASE_URL: databaseUrl,
  DATABASE_READ_URL: databaseUrl,
  WALLET_URL: z.optional(
    z.pipe(
      secret(
        "is not usable: give an https:// address without user, query and fragment (http:// on loopback only)",
        isCallableUrl,
      ),
      z.transform((url) => new URL(url).href.replace(/\/+$/, "")),
    ),
  ),
  WALLET_KEY: z.optional(z.string()),
  WALLET_SECRET: z.optional(z.string()),
  WALLET_RETENTION_DAYS: z._default(wholeNumber(1, 36_500), 120),
  WALLET_MAX_PER_SECOND: z.optional(wholeNumber(1, 10_000)),
  // The minimums keep a request's answer longer than the platform repeats the request, and a wallet entry longer than
  // the wallet corrects it.
  RETAIN_REQUESTS_DAYS: z.optional(wholeNumber(30, 36_500)),
  RETAIN_ATTEMPTS_DAYS: z.optional(wholeNumber(30, 36_500)),
  RETAIN_WALLET_ENTRIES_DAYS: z.optional(wholeNumber(90, 36_500)),
  RETAIN_AUDIT_DAYS: z.optional(wholeNumber(AUDIT_DAYS_MIN, 36_500)),
  DEMO: z._default(oneOf("auto", "off"), "auto"),
  ADMIN_USERNAME: z.optional(printable(128)),
  ADMIN_PASSWORD: z.optional(
    secret(
      `has the wrong length: give ${ADMIN_PASSWORD_LENGTH_MIN} to 128 characters`,
      ({ length }) => length >= ADMIN_PASSWORD_LENGTH_MIN && length <= 128,
    ),
  ),
  BUSINESS_TZ: z._default(
    variable("give a time zone by its IANA name, such as Asia/Shanghai", isTimeZone),
    "Asia/Shanghai",
  ),
  RED_CODE_DEFAULT: z._default(printable(RED_CODE_LENGTH_MAX), "RED_PACKET"),
  SECRET_KEY: z.optional(
    secret(
      `is too short: give at least ${SECRET_KEY_LENGTH_MIN} characters, for instance of "openssl rand -base64 32"`,
      ({ length }) => length >= SECRET_KEY_LENGTH_MIN,
    ),
  ),
  ROLE: z._default(oneOf("web", "worker", "all"), "all"),
  LOG_LEVEL: z._default(
    oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    "info",
  ),
  TRUST_PROXY: z._default(trustProxy, false),
  METRICS_PORT: z.optional(wholeNumber(1, 65_535)),
  DB_WEB: z._default(wholeNumber(1, 500), 7),
  DB_DRAWS: z._default(wholeNumber(1, 500), 4),
  DB_INGEST: z._default(wholeNumber(1, 500), 2),
  DB_WORKER: z._default(wholeNumber(1, 500), 3),
  DB_UPKEEP: z._default(wholeNumber(1, 500), 2),
  DB_EXPORTS: z._default(wholeNumber(1, 500), 2),
  PRIZE_STOCK_SHOWN: z._default(oneOf(...STOCK_SHOWN), "words"),
  TOKEN_IN_ADDRESS: z._default(oneOf("on", "off"), "on"),
  FAILPOINTS: z.optional(z.string()),
});

type Values = z.infer<typeof environment>;

/** Returns the variables that are set, and reads `<name>_FILE`. An empty text counts as unset. */
function gather(env: Environment, faults: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(environment.shape)) {
    const file = SECRETS.includes(name) ? (env[`${name}_FILE`] ?? "") : "";
    let text = env[name] ?? "";
    if (text !== "" && file !== "") {
      faults.push(`${name} and ${name}_FILE are both set: keep one of them`);
      continue;
    }
    try {
      // Editors and `echo` add a line break at the end of a file. It is not part of the secret.
      text = file === "" ? text : readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (file !== "" && text === "") {
        faults.push(`${name}_FILE is "${file}": the file is empty, write the secret into it`);
      }
    } catch (fault) {
      faults.push(`${name}_FILE is "${file}": it cannot be read (${String(fault)})`);
    }
    if (text !== "") {
      values[name] = text;
    }
  }
  return values;
}

/** The first variable of each pair needs the second. */
const PARTNERS = [
  ["DATABASE_READ_URL", "DATABASE_URL"],
  ["WALLET_URL", "WALLET_KEY"],
  ["WALLET_URL", "WALLET_SECRET"],
  ["WALLET_KEY", "WALLET_URL"],
  ["WALLET_SECRET", "WALLET_URL"],
  ["ADMIN_USERNAME", "ADMIN_PASSWORD"],
  ["ADMIN_PASSWORD", "ADMIN_USERNAME"],
] as const;

function partnerFaults(env: Environment): string[] {
  const isGiven = (name: string) => (env[name] ?? "") !== "" || (env[`${name}_FILE`] ?? "") !== "";
  return PARTNERS.filter(([name, partner]) => isGiven(name) && !isGiven(partner)).map(
    ([name, partner]) => `${partner} is missing: ${name} is set and needs it`,
  );
}

/** True if no other machine can reach this process and it pays no real money. Failpoints are allowed only then. */
function isOnLoopback(host: string, wallet: string | undefined): boolean {
  const name = host.includes(":") ? `[${host}]` : host;
  return isLoopback(name) && (wallet === undefined || isLoopback(new URL(wallet).hostname));
}

function walletOf(value: Values): WalletConfig | null {
  const { WALLET_URL: url, WALLET_KEY: key, WALLET_SECRET: secret } = value;
  return url === undefined || key === undefined || secret === undefined
    ? null
    : { url, key, secret };
}

/** The printed text for an unset variable. All other unset variables print `(unset)`. */
const UNSET: Readonly<Record<string, string>> = {
  DATABASE_URL: "(embedded)",
  WALLET_MAX_PER_SECOND: "(unlimited)",
  RETAIN_REQUESTS_DAYS: "(forever)",
  RETAIN_ATTEMPTS_DAYS: "(forever)",
  RETAIN_WALLET_ENTRIES_DAYS: "(forever)",
  RETAIN_AUDIT_DAYS: "(forever)",
  SECRET_KEY: "(kept in DATA_DIR)",
  METRICS_PORT: "(same as PORT)",
};

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = url.password === "" ? "" : "***";
  if (url.searchParams.has("password")) {
    url.searchParams.set("password", "***");
  }
  return url.href;
}

function printed(name: string, value: Values[keyof Values]): string | number {
  if (value === undefined) {
    return UNSET[name] ?? "(unset)";
  }
  if (name.startsWith("DATABASE_")) {
    return withoutPassword(String(value));
  }
  if (SECRETS.includes(name)) {
    return "(set)";
  }
  return typeof value === "number" ? value : value === false ? "off" : String(value);
}

/** Returns the configuration by variable name, without secrets. */
function printableOf(values: Values): Record<string, string | number> {
  // The shape and the values have the same names.
  const names = Object.keys(environment.shape) as (keyof Values)[];
  return Object.fromEntries(names.map((name) => [name, printed(name, values[name])]));
}

/** Throws one error that lists every invalid variable with cause and remedy. */
export function readConfig(env: Environment) {
  const faults: string[] = [];
  const parsed = environment.safeParse(gather(env, faults));
  faults.push(
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join(".")} ${issue.message}`),
    ...partnerFaults(env),
  );
  const value = parsed.data;
  if (value?.METRICS_PORT !== undefined && value.METRICS_PORT === value.PORT) {
    faults.push("METRICS_PORT is the same as PORT: leave it out to serve the metrics there");
  }
  if (value?.FAILPOINTS !== undefined && !isOnLoopback(value.HOST, value.WALLET_URL)) {
    faults.push(
      "FAILPOINTS kills this process for a proof: leave it out, or have HOST and WALLET_URL on loopback",
    );
  }
  if (faults.length > 0 || value === undefined) {
    const list = faults.map((fault) => `\n  - ${fault}`).join("");
    throw new Error(`the configuration has ${faults.length} fault(s):${list}`);
  }
  const { ADMIN_USERNAME: username } = value;
  const password = value.ADMIN_PASSWORD;
  return {
    /** With 0 the system chooses the port. */
    port: value.PORT,
    host: value.HOST,
    dataDir: value.DATA_DIR,
    /** Null means the embedded database in `dataDir`. */
    databaseUrl: value.DATABASE_URL ?? null,
    /** A standby for files and figures; its data may be older. Null means the database of `databaseUrl`. */
    databaseReadUrl: value.DATABASE_READ_URL ?? null,
    wallet: walletOf(value),
    walletRetentionDays: value.WALLET_RETENTION_DAYS,
    walletMaxPerSecond: value.WALLET_MAX_PER_SECOND ?? null,
    /** Days after the end of a round. Null means forever. */
    retention: {
      requests: value.RETAIN_REQUESTS_DAYS ?? null,
      attempts: value.RETAIN_ATTEMPTS_DAYS ?? null,
      entries: value.RETAIN_WALLET_ENTRIES_DAYS ?? null,
      audit: value.RETAIN_AUDIT_DAYS ?? null,
    },
    demo: value.DEMO,
    admin: username === undefined || password === undefined ? null : { username, password },
    businessTimeZone: value.BUSINESS_TZ,
    redCodeDefault: value.RED_CODE_DEFAULT,
    /** 32 bytes. With null the caller uses `ensureSecretKey(dataDir)`. */
    secretKey: value.SECRET_KEY === undefined ? null : keyOf(value.SECRET_KEY),
    role: value.ROLE,
    logLevel: value.LOG_LEVEL,
    /** Value for fastify: false, the number of proxies in front, or their addresses. */
    trustProxy: value.TRUST_PROXY,
    /** Null means that `port` also serves the metrics. */
    metricsPort: value.METRICS_PORT ?? null,
    /** Number of database connections by purpose. Probes and notifications use three more. */
    connections: {
      web: value.DB_WEB,
      draws: value.DB_DRAWS,
      ingest: value.DB_INGEST,
      worker: value.DB_WORKER,
      upkeep: value.DB_UPKEEP,
      exports: value.DB_EXPORTS,
    },
    prizeStockShown: value.PRIZE_STOCK_SHOWN,
    tokenInAddress: value.TOKEN_IN_ADDRESS === "on",
    failpointFile: value.FAILPOINTS ?? null,
    printable: printableOf(value),
  };
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** `overrides` win over the environment, which wins over `.env` in the working directory. */
export function loadConfig(overrides: Environment = {}): Config {
  const file = path.resolve(".env");
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  return readConfig({ ...fromFile, ...process.env, ...overrides });
}

/**
 * Returns the 32-byte key of a data folder. The first call writes the file `secret-key`, which only its owner can read;
 * its text also works as SECRET_KEY. Throws if the file is damaged, because a new key could not decrypt what the old
 * key encrypted.
 */
export function ensureSecretKey(dataDir: string): Buffer {
  const file = path.join(dataDir, "secret-key");
  // 0711: the database's user can pass through the folder, but other users cannot list it.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  if (!existsSync(file)) {
    // If two processes start at the same time, one creates the link and both read that file.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) {
        throw error;
      }
    } finally {
      rmSync(draft);
    }
  }
  const text = readFileSync(file, "utf8").trim();
  if (text.length < SECRET_KEY_LENGTH_MIN) {
    throw new Error(`${file} is damaged: put it back from a backup`);
  }
  return keyOf(text);
}
