/**
 * The environment, checked once at start: every fault is told at once, with what to do. Nothing else
 * reads `process.env`, so what a process depends on is what this file names.
 */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { RED_CODE_LENGTH_MAX } from "@red/contract/limits";
import * as z from "zod/mini";
import {
  isLoopback,
  oneOf,
  parseHost,
  parsePostgresUrl,
  parseSecretKey,
  parseTimeZone,
  parseTrustProxy,
  parseWalletUrl,
  printableText,
  SECRET_KEY_LENGTH_MIN,
  secret,
  variable,
  wholeNumber,
} from "./config-values.ts";

export const ADMIN_PASSWORD_LENGTH_MIN = 12;

export interface WalletConfig {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export interface Config {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the embedded database of `dataDir`. */
  readonly databaseUrl: string | null;
  readonly wallet: WalletConfig | null;
  /** How long the wallet is trusted to remember a `trans_sn`. */
  readonly walletRetentionDays: number;
  /** Most calls that it is made in a second, by all processes together; null: no limit. */
  readonly walletMaxPerSecond: number | null;
  readonly demo: "auto" | "off";
  /** Made once, when no operator exists. */
  readonly admin: { readonly username: string; readonly password: string } | null;
  /** IANA name, known here; PostgreSQL knows the same names. */
  readonly businessTimeZone: string;
  readonly redCodeDefault: string;
  /** 32 bytes; null: `ensureSecretKey(dataDir)`. */
  readonly secretKey: Buffer | null;
  readonly role: "web" | "worker" | "all";
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** In fastify's terms: false, how many proxies stand in front, or their addresses. */
  readonly trustProxy: false | number | string[];
  /** Null: the metrics are served on `port`. */
  readonly metricsPort: number | null;
  /** May a download's address carry an access token, as clients of the older calls send it? */
  readonly tokenInAddress: boolean;
  /** Says at which place this process is to die (platform/failpoint.ts); null: at none. */
  readonly failpointFile: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each may be given as `<name>_FILE` instead: the path of a file that holds it. */
const SECRETS = ["DATABASE_URL", "WALLET_KEY", "WALLET_SECRET", "ADMIN_PASSWORD", "SECRET_KEY"];

const environment = z.object({
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  HOST: z._default(
    variable("give an address or a host name, such as 127.0.0.1 or 0.0.0.0", parseHost),
    "127.0.0.1",
  ),
  DATA_DIR: z._default(z.string(), "./data"),
  DATABASE_URL: z.optional(
    secret(
      "is not a PostgreSQL address: give postgres://user:password@host:5432/database",
      parsePostgresUrl,
    ),
  ),
  WALLET_URL: z.optional(
    secret(
      "is not usable: give an https:// address without user, query and fragment (http:// on loopback only)",
      parseWalletUrl,
    ),
  ),
  WALLET_KEY: z.optional(z.string()),
  WALLET_SECRET: z.optional(z.string()),
  WALLET_RETENTION_DAYS: z._default(wholeNumber(1, 36_500), 120),
  WALLET_MAX_PER_SECOND: z.optional(wholeNumber(1, 10_000)),
  DEMO: z._default(oneOf("auto", "off"), "auto"),
  ADMIN_USERNAME: z.optional(
    variable("give 1 to 128 characters without blanks around them", printableText(128)),
  ),
  ADMIN_PASSWORD: z.optional(
    secret(`has the wrong length: give ${ADMIN_PASSWORD_LENGTH_MIN} to 128 characters`, (text) =>
      text.length < ADMIN_PASSWORD_LENGTH_MIN || text.length > 128 ? null : text,
    ),
  ),
  BUSINESS_TZ: z._default(
    variable("give a time zone by its IANA name, such as Asia/Shanghai", parseTimeZone),
    "Asia/Shanghai",
  ),
  RED_CODE_DEFAULT: z._default(
    variable(
      `give 1 to ${RED_CODE_LENGTH_MAX} characters without blanks around them`,
      printableText(RED_CODE_LENGTH_MAX),
    ),
    "RED_PACKET",
  ),
  SECRET_KEY: z.optional(
    secret(
      `is too short: give at least ${SECRET_KEY_LENGTH_MIN} characters, for instance of "openssl rand -base64 32"`,
      parseSecretKey,
    ),
  ),
  ROLE: z._default(oneOf("web", "worker", "all"), "all"),
  LOG_LEVEL: z._default(
    oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    "info",
  ),
  TRUST_PROXY: z._default(
    variable(
      "give off, how many proxies stand in front (1 to 9), or their addresses, such as 10.0.0.0/8",
      parseTrustProxy,
    ),
    false,
  ),
  METRICS_PORT: z.optional(wholeNumber(1, 65_535)),
  TOKEN_IN_ADDRESS: z._default(oneOf("on", "off"), "on"),
  FAILPOINTS: z.optional(z.string()),
});

/** The secret that a file holds, or why it holds none. */
function readSecretFile(file: string): { text: string } | { fault: string } {
  try {
    // Editors and `echo` end a file with a line break that is no part of the secret.
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { fault: "the file is empty, write the secret into it" } : { text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `it cannot be read (${reason})` };
  }
}

/** The variables that are set, with those of `<name>_FILE` read; an empty text counts as unset. */
function gather(env: Environment, faults: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(environment.shape)) {
    const text = env[name] ?? "";
    const file = SECRETS.includes(name) ? (env[`${name}_FILE`] ?? "") : "";
    if (text !== "" && file !== "") {
      faults.push(`${name} and ${name}_FILE are both set: keep one of them`);
    } else if (text !== "") {
      given[name] = text;
    } else if (file !== "") {
      const answer = readSecretFile(file);
      if ("text" in answer) {
        given[name] = answer.text;
      } else {
        faults.push(`${name}_FILE is "${file}": ${answer.fault}`);
      }
    }
  }
  return given;
}

/** Variables that only make sense together; it is told which one is missing. */
const PARTNERS = [
  ["WALLET_URL", "WALLET_KEY"],
  ["WALLET_URL", "WALLET_SECRET"],
  ["WALLET_KEY", "WALLET_URL"],
  ["WALLET_SECRET", "WALLET_URL"],
  ["ADMIN_USERNAME", "ADMIN_PASSWORD"],
  ["ADMIN_PASSWORD", "ADMIN_USERNAME"],
] as const;

function partnerFaults(env: Environment): string[] {
  const isGiven = (name: string) => (env[name] ?? "") !== "" || (env[`${name}_FILE`] ?? "") !== "";
  return PARTNERS.filter(([one, other]) => isGiven(one) && !isGiven(other)).map(
    ([one, other]) => `${other} is missing: ${one} is set and needs it`,
  );
}

/** Nobody is to die on purpose who can be reached from elsewhere, or who pays with real money. */
function isOnLoopback(host: string, wallet: string | undefined): boolean {
  const name = host.includes(":") ? `[${host}]` : host;
  return isLoopback(name) && (wallet === undefined || isLoopback(new URL(wallet).hostname));
}

function together<A, B>(one: A | undefined, other: B | undefined): [A, B] | null {
  return one === undefined || other === undefined ? null : [one, other];
}

/**
 * Reads the configuration out of an environment. Throws one error whose message lists every fault:
 * which variable, what is wrong with it, and what to do.
 */
export function readConfig(env: Environment): Config {
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
  const wallet = together(value.WALLET_URL, together(value.WALLET_KEY, value.WALLET_SECRET));
  const admin = together(value.ADMIN_USERNAME, value.ADMIN_PASSWORD);
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir: path.resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    wallet: wallet?.[1] ? { url: wallet[0], key: wallet[1][0], secret: wallet[1][1] } : null,
    walletRetentionDays: value.WALLET_RETENTION_DAYS,
    walletMaxPerSecond: value.WALLET_MAX_PER_SECOND ?? null,
    demo: value.DEMO,
    admin: admin && { username: admin[0], password: admin[1] },
    businessTimeZone: value.BUSINESS_TZ,
    redCodeDefault: value.RED_CODE_DEFAULT,
    secretKey: value.SECRET_KEY ?? null,
    role: value.ROLE,
    logLevel: value.LOG_LEVEL,
    trustProxy: value.TRUST_PROXY,
    metricsPort: value.METRICS_PORT ?? null,
    tokenInAddress: value.TOKEN_IN_ADDRESS === "on",
    failpointFile: value.FAILPOINTS ?? null,
  };
}

/**
 * The configuration of this process; a `.env` in the working directory fills what is not set, and
 * what is `given` otherwise wins over both.
 */
export function loadConfig(given: Environment = {}): Config {
  const file = path.resolve(".env");
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  return readConfig({ ...fromFile, ...process.env, ...given });
}

/** The address without its password. */
function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = url.password === "" ? "" : "***";
  if (url.searchParams.has("password")) {
    url.searchParams.set("password", "***");
  }
  return url.href;
}

/** The configuration by the names of its variables, to be shown: secrets are left out. */
export function printableConfig(config: Config): Record<string, string | number> {
  const { databaseUrl, wallet, admin, trustProxy } = config;
  return {
    PORT: config.port,
    HOST: config.host,
    DATA_DIR: config.dataDir,
    DATABASE_URL: databaseUrl === null ? "(embedded)" : withoutPassword(databaseUrl),
    WALLET_URL: wallet?.url ?? "(unset)",
    WALLET_KEY: wallet === null ? "(unset)" : "(set)",
    WALLET_SECRET: wallet === null ? "(unset)" : "(set)",
    WALLET_RETENTION_DAYS: config.walletRetentionDays,
    WALLET_MAX_PER_SECOND: config.walletMaxPerSecond ?? "(unlimited)",
    DEMO: config.demo,
    ADMIN_USERNAME: admin?.username ?? "(unset)",
    ADMIN_PASSWORD: admin === null ? "(unset)" : "(set)",
    BUSINESS_TZ: config.businessTimeZone,
    RED_CODE_DEFAULT: config.redCodeDefault,
    SECRET_KEY: config.secretKey === null ? "(kept in DATA_DIR)" : "(set)",
    ROLE: config.role,
    LOG_LEVEL: config.logLevel,
    TRUST_PROXY: trustProxy === false ? "off" : String(trustProxy),
    METRICS_PORT: config.metricsPort ?? "(same as PORT)",
    TOKEN_IN_ADDRESS: config.tokenInAddress ? "on" : "off",
    FAILPOINTS: config.failpointFile ?? "(unset)",
  };
}

/**
 * The 32-byte key of a data folder, made on first use in `secret-key` (readable by its owner only).
 * The file holds a text that gives the same key as `SECRET_KEY`. Throws when the file is damaged:
 * a new key could not open what the old one has sealed.
 */
export function ensureSecretKey(dataDir: string): Buffer {
  const file = path.join(dataDir, "secret-key");
  // Others may pass through (the database's own user has to) but not look around.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  if (!existsSync(file)) {
    // Two processes may start at once: the link is made by one of them, and both read its file.
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
  const key = parseSecretKey(readFileSync(file, "utf8").trim());
  if (key === null) {
    throw new Error(`${file} is damaged: put it back from a backup`);
  }
  return key;
}
