import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "#test/folder";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ensureSecretKey, loadConfig, readConfig } from "./config.ts";

const LONG_SECRET = "0123456789abcdef0123456789abcdef";

/** Returns the errors of the configuration; empty if the environment is valid. */
function faults(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return String(error)
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/^ +- /, ""));
  }
}

describe("readConfig", () => {
  it("gives every variable its default", () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: "127.0.0.1",
      dataDir: path.resolve("data"),
      databaseUrl: null,
      databaseReadUrl: null,
      wallet: null,
      walletRetentionDays: 120,
      walletMaxPerSecond: null,
      demo: "auto",
      admin: null,
      businessTimeZone: "Asia/Shanghai",
      redCodeDefault: "RED_PACKET",
      secretKey: null,
      role: "all",
      logLevel: "info",
      trustProxy: false,
      metricsPort: null,
      connections: { web: 7, draws: 4, ingest: 2, worker: 3, upkeep: 2, exports: 2 },
      retention: { requests: null, attempts: null, entries: null, audit: null },
      prizeStockShown: "words",
      tokenInAddress: true,
      failpointFile: null,
      printable: expect.objectContaining({
        PORT: 8080,
        DATABASE_URL: "(embedded)",
        TRUST_PROXY: "off",
      }),
    });
  });

  it("treats an empty text as unset", () => {
    expect(readConfig({ PORT: "", WALLET_URL: "", DATABASE_URL: "" })).toEqual(readConfig({}));
  });

  it.each([
    ["PORT", "80x"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["HOST", "not a host"],
    ["DATABASE_URL", "mysql://db/red"],
    ["DATABASE_URL", "db.example:5432"],
    ["WALLET_RETENTION_DAYS", "0"],
    ["WALLET_MAX_PER_SECOND", "0"],
    ["WALLET_MAX_PER_SECOND", "2.5"],
    ["RETAIN_REQUESTS_DAYS", "29"],
    ["RETAIN_ATTEMPTS_DAYS", "29"],
    ["RETAIN_WALLET_ENTRIES_DAYS", "89"],
    ["RETAIN_AUDIT_DAYS", "179"],
    ["DEMO", "on"],
    ["BUSINESS_TZ", "Asia/Nowhere"],
    ["BUSINESS_TZ", "+08:00"],
    ["RED_CODE_DEFAULT", "x".repeat(65)],
    ["SECRET_KEY", "too short"],
    ["ROLE", "both"],
    ["LOG_LEVEL", "loud"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["METRICS_PORT", "8080"],
    ["PRIZE_STOCK_SHOWN", "some"],
    ["TOKEN_IN_ADDRESS", "yes"],
    ["DB_WEB", "0"],
  ])("refuses %s=%s with one fault that names it", (name, text) => {
    const found = faults({ [name]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name} is `));
  });

  it("accepts failpoints on loopback only", () => {
    const FAILPOINTS = "/tmp/failpoint";
    const wallet = { WALLET_KEY: "k", WALLET_SECRET: "s" };
    for (const HOST of ["127.0.0.1", "::1", "localhost"]) {
      const env = { FAILPOINTS, HOST, WALLET_URL: "http://127.0.0.1:9", ...wallet };
      expect(readConfig(env).failpointFile).toBe(FAILPOINTS);
    }
    for (const env of [{ HOST: "0.0.0.0" }, { WALLET_URL: "https://wallet.example", ...wallet }]) {
      expect(faults({ FAILPOINTS, ...env })).toEqual([expect.stringMatching(/^FAILPOINTS kills/)]);
    }
  });

  it.each([
    "http://wallet.example",
    "ftp://127.0.0.1",
    "https://user:pw@wallet.example",
    "https://wallet.example/?key=1",
    "wallet.example",
  ])("refuses %s as the wallet's address and does not repeat it", (url) => {
    const found = faults({ WALLET_URL: url, WALLET_KEY: "k", WALLET_SECRET: "s" });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^WALLET_URL is not usable/);
    expect(found[0]).not.toContain(url);
  });

  it.each(["http://127.0.0.1:9100", "http://localhost:9100/pay", "http://[::1]:9100"])(
    "takes %s, plain but on loopback, as the wallet's address",
    (url) => {
      const config = readConfig({ WALLET_URL: url, WALLET_KEY: "k", WALLET_SECRET: "s" });
      expect(config.wallet?.url).toBe(url);
    },
  );

  it.each([
    [{ WALLET_URL: "https://w.example" }, ["WALLET_KEY is missing", "WALLET_SECRET is missing"]],
    [{ WALLET_KEY: "k", WALLET_SECRET: "s" }, ["WALLET_URL is missing", "WALLET_URL is missing"]],
    [{ ADMIN_USERNAME: "op" }, ["ADMIN_PASSWORD is missing"]],
    [{ ADMIN_PASSWORD: "long enough!" }, ["ADMIN_USERNAME is missing"]],
  ])("wants the partner of %o", (env, wanted) => {
    const found = faults(env);
    expect(found.map((fault) => fault.split(":")[0])).toEqual(wanted);
  });

  it("lists every fault at once and shows no secret", () => {
    const found = faults({
      PORT: "x",
      ROLE: "y",
      ADMIN_USERNAME: "op",
      ADMIN_PASSWORD: "short-word",
      SECRET_KEY: "hush-hush",
      WALLET_URL: "https://w.example",
    });
    expect(found).toHaveLength(6);
    expect(found.join()).not.toMatch(/short-word|hush-hush/);
  });

  it("reads a secret from the file that <name>_FILE names, without its last line break", () => {
    const file = path.join(makeFolder(), "secret");
    writeFileSync(file, `${LONG_SECRET}\n`);
    expect(readConfig({ SECRET_KEY_FILE: file }).secretKey).toEqual(
      readConfig({ SECRET_KEY: LONG_SECRET }).secretKey,
    );
    expect(readConfig({ ADMIN_USERNAME: "op", ADMIN_PASSWORD_FILE: file }).admin?.password).toBe(
      LONG_SECRET,
    );
  });

  it("refuses a secret given twice, unreadable or empty", () => {
    const file = path.join(makeFolder(), "empty");
    writeFileSync(file, "\n");
    expect(faults({ SECRET_KEY: LONG_SECRET, SECRET_KEY_FILE: file })[0]).toMatch(/both set/);
    expect(faults({ SECRET_KEY_FILE: `${file}.no` })[0]).toMatch(/cannot be read.*ENOENT/);
    expect(faults({ SECRET_KEY_FILE: file })).toEqual([expect.stringContaining("file is empty")]);
  });
});

describe("loadConfig", () => {
  it("fills what is not set from .env in the working directory; what is set wins", () => {
    const folder = makeFolder();
    writeFileSync(path.join(folder, ".env"), "PORT=9000\nLOG_LEVEL=warn\n");
    vi.stubEnv("LOG_LEVEL", "error");
    vi.stubEnv("PORT", undefined);
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      cwd.mockRestore();
    });
    const { port, logLevel } = loadConfig();
    expect({ port, logLevel }).toEqual({ port: 9000, logLevel: "error" });
    expect(loadConfig({ LOG_LEVEL: "debug" })).toMatchObject({ port: 9000, logLevel: "debug" });
  });
});

describe("the printable configuration", () => {
  it("names every variable as it was read, and shows no secret", () => {
    const plain = {
      HOST: "0.0.0.0",
      DATA_DIR: "/srv/red",
      DEMO: "off",
      ADMIN_USERNAME: "root-op",
      BUSINESS_TZ: "America/New_York",
      RED_CODE_DEFAULT: "LUCKY",
      ROLE: "worker",
      LOG_LEVEL: "debug",
      TRUST_PROXY: "10.0.0.0/8,::1",
      PRIZE_STOCK_SHOWN: "exact",
      TOKEN_IN_ADDRESS: "off",
    };
    const numbers = {
      PORT: 9000,
      WALLET_RETENTION_DAYS: 30,
      WALLET_MAX_PER_SECOND: 50,
      RETAIN_REQUESTS_DAYS: 30,
      RETAIN_ATTEMPTS_DAYS: 60,
      RETAIN_WALLET_ENTRIES_DAYS: 400,
      RETAIN_AUDIT_DAYS: 180,
      METRICS_PORT: 9001,
      DB_WEB: 9,
      DB_DRAWS: 5,
      DB_INGEST: 3,
      DB_WORKER: 4,
      DB_UPKEEP: 1,
      DB_EXPORTS: 6,
    };
    const { printable: shown } = readConfig({
      ...plain,
      ...Object.fromEntries(Object.entries(numbers).map(([name, n]) => [name, String(n)])),
      DATABASE_URL: "postgres://red:hidden1@db.example/red?password=hidden2",
      DATABASE_READ_URL: "postgres://red:hidden1@standby.example/red",
      WALLET_URL: "https://w.example/v1/",
      WALLET_KEY: "hidden3",
      WALLET_SECRET: "hidden4",
      ADMIN_PASSWORD: "hidden5-hidden5",
      SECRET_KEY: `hidden6${LONG_SECRET}`,
    });
    const secrets = ["WALLET_KEY", "WALLET_SECRET", "ADMIN_PASSWORD", "SECRET_KEY"];
    expect(shown).toEqual({
      ...plain,
      ...numbers,
      DATABASE_URL: "postgres://red:***@db.example/red?password=***",
      DATABASE_READ_URL: "postgres://red:***@standby.example/red",
      WALLET_URL: "https://w.example/v1",
      ...Object.fromEntries(secrets.map((name) => [name, "(set)"])),
      FAILPOINTS: "(unset)",
    });
    const example = readFileSync(new URL("../../../../.env.example", import.meta.url), "utf8");
    const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)]
      .map((match) => match[1] ?? "")
      .filter((name) => !name.endsWith("_FILE"));
    expect(Object.keys(shown).toSorted()).toEqual(named.toSorted());
  });
});

describe("ensureSecretKey", () => {
  it("makes a key once, for its owner only, that also works as SECRET_KEY", () => {
    const folder = path.join(makeFolder(), "data");
    const key = ensureSecretKey(folder);
    expect(key).toHaveLength(32);
    expect(ensureSecretKey(folder)).toEqual(key);
    const file = path.join(folder, "secret-key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readConfig({ SECRET_KEY_FILE: file }).secretKey).toEqual(key);
    expect(ensureSecretKey(path.join(makeFolder(), "other"))).not.toEqual(key);
  });

  it("refuses a damaged file instead of making a new key", () => {
    const folder = makeFolder();
    writeFileSync(path.join(folder, "secret-key"), "cut o");
    expect(() => ensureSecretKey(folder)).toThrow(/damaged/);
  });
});
