import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { createServer as createTlsServer } from "node:tls";
import { isPassword } from "#identity/password";
import { secretBox } from "#platform/secret-box";
import { COMMANDS } from "./commands.ts";
import { readConfig } from "#platform/config";
import type { Config } from "#platform/config";
import { selectApiKey } from "#identity/api-key-sql";
import { SUPERUSER } from "#platform/embedded/cluster";
import { databaseUrl } from "#test/database-url";
import { REPOSITORY } from "#test/entry-process";
import { configOf, redctl as run } from "#test/redctl";
import { makeRecord } from "#test/factories";
import { PASSWORD } from "#test/operator-factory";
import { auditsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { describe, expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const SECRET_KEY = randomBytes(32);

const testConfig = (changes: Partial<Config> = {}) =>
  configOf(t, { secretKey: SECRET_KEY, ...changes });

const redctl = async (words: string, config: () => Config = testConfig, input = "") =>
  await run(config, words, input);

async function json<T>(words: string): Promise<T> {
  const ran = await redctl(`${words} --json`);
  expect(ran).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ran.out) as T;
}

/** Returns the problems that the doctor reports, without the one for topology: the test database has only one node. */
const faultsIn = (out: string) =>
  out.split("\n").filter((line) => line.startsWith("FAULT") && !line.includes(" topology "));

async function auditOf(object_id: string): Promise<object[]> {
  return await auditsOf(t.db, ["actor_kind", "actor", "action", "outcome"], { object_id });
}

describe("the command line", () => {
  test("explains each command, and lists all", async () => {
    for (const { name, summary } of COMMANDS) {
      const { code, out, err } = await redctl(`${name} --help`);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain(`Usage: redctl ${name} `);
      expect(out.replaceAll(/\s+/g, " ")).toContain(summary);
      expect(out).toContain("--json");
    }
    const { code, out } = await redctl("--help");
    expect(code).toBe(0);
    expect(COMMANDS.filter(({ name }) => !out.includes(name.split(" ")[0] ?? ""))).toEqual([]);
  });

  test.each([
    ["", "Commands:"],
    ["nope", "redctl: unknown command 'nope'"],
    ["admin", "reset-password"],
    ["admin erase x", "redctl: unknown command 'erase'"],
    ["administer", "redctl: unknown command 'administer'"],
    ["admin create", "redctl: --name is missing"],
    ["admin list --force", "redctl: unknown option '--force'"],
    ["admin list everything", "redctl: too many arguments"],
    ["admin disable one two", "redctl: too many arguments"],
    ["admin disable one --name two", "redctl: --name is given twice"],
    ["keys create --name x --scopes", "argument missing"],
  ])("answers %j with its usage and exit code 2", async (words, reason) => {
    const { code, out, err } = await redctl(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(reason);
    expect(err).toContain("Usage: redctl");
  });

  test("reports a fault in one line, with exit code 1", async () => {
    const nowhere = () => testConfig({ databaseUrl: "postgres://red@127.0.0.1:1/none" });
    const { code, out, err } = await redctl("admin list", nowhere);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^redctl: .*ECONNREFUSED.*\n$/);
  });

  test("reports what is wrong with the configuration", async () => {
    const { code, err } = await redctl("admin list", () => readConfig({ PORT: "x" }));
    expect(code).toBe(1);
    expect(err).toContain("PORT");
  });
});

describe("operators", () => {
  test("are made, listed, reset, disabled and enabled, each with an audit row", async () => {
    const made = await json<{ name: string; password: string }>("admin create cli-op");
    await redctl(
      "admin create cli-other --roles risk,admin --password-stdin",
      testConfig,
      `${PASSWORD}\n`,
    );
    const reset = await json<{ password: string }>("admin reset-password CLI-OP");
    await json("admin reset-totp --name cli-op");
    await json("admin disable --username cli-op");
    const rows = await t.db.selectFrom("operator").selectAll().orderBy("id").execute();
    const [own, other] = rows;
    expect(made.name).toBe("cli-op");
    expect(await isPassword(made.password, own?.password_hash ?? "")).toBe(false);
    expect(await isPassword(reset.password, own?.password_hash ?? "")).toBe(true);
    expect(await isPassword(PASSWORD, other?.password_hash ?? "")).toBe(true);
    const list = await json<object[]>("admin list");
    expect(list).toMatchObject([
      { name: "cli-op", roles: ["admin"], disabled: true, bound: false },
      { name: "cli-other", roles: ["admin", "risk"], disabled: false },
    ]);
    expect(JSON.stringify(list)).not.toContain("argon2");
    await json("admin enable cli-op");
    const by = { actor_kind: "redctl", actor: userInfo().username, outcome: "done" };
    expect(await auditOf(String(own?.id))).toEqual(
      [
        "create_operator",
        "reset_password",
        "reset_totp",
        "disable_operator",
        "enable_operator",
      ].map((action) => ({ ...by, action })),
    );
  });

  test.each([
    ["admin create short --password 12345678901", "12 to 128 characters"],
    ["admin create easy --password 123456789012", "new password of easy is easy to guess"],
    ["admin disable nobody", "There is no operator nobody"],
    ["admin reset-totp nobody", "There is no operator nobody"],
  ])("%s fails", async (words, reason) => {
    const { code, err } = await redctl(words);
    expect(code).toBe(1);
    expect(err).toMatch(/^redctl: [^\n]*\n$/);
    expect(err).toContain(reason);
  });
});

describe("keys", () => {
  test("are made with a secret that is shown once and opens again, listed and revoked", async () => {
    const made = await json<{ key: string; secret: string }>(
      "keys create --name platform --scopes read,ingest",
    );
    expect(Object.keys(made)).toEqual(["key", "secret"]);
    const known = await selectApiKey(t.db, made.key);
    expect(known?.scopes.toSorted()).toEqual(["ingest", "read"]);
    const sealed = known?.secret ?? Buffer.alloc(0);
    expect(sealed.includes(made.secret)).toBe(false);
    expect(secretBox(SECRET_KEY).open(`api_key:${made.key}`, sealed)).toBe(made.secret);
    const list = await json<object[]>("keys list");
    expect(list).toMatchObject([{ key: made.key, revoked_at: null }]);
    expect(JSON.stringify(list)).not.toContain(made.secret);
    await json(`keys revoke ${made.key}`);
    expect(await selectApiKey(t.db, made.key)).toBeNull();
    expect((await redctl(`keys revoke ${made.key}`)).code).toBe(1);
    expect(await auditOf(made.key)).toMatchObject([
      { actor_kind: "redctl", action: "create_key" },
      { actor_kind: "redctl", action: "revoke_key" },
    ]);
  });

  test("are not sealed under another key than this database's", async () => {
    const config = () => testConfig({ secretKey: randomBytes(32) });
    const { code, err } = await redctl("keys create --name x --scopes read", config);
    expect(code).toBe(1);
    expect(err).toContain("SECRET_KEY is not the one");
  });

  test("need scopes that exist", async () => {
    const { code, err } = await redctl("keys create --name x --scopes read,write");
    expect(code).toBe(1);
    expect(err).toBe(
      'redctl: there is no scope "write": give some of ingest, draw, read, wallet\n',
    );
  });
});

describe("the doctor", () => {
  test("finds nothing wrong here but that there is one node", async () => {
    const { code, out } = await redctl("doctor --json");
    const { checks } = JSON.parse(out) as {
      checks: { name: string; found: string; ok: boolean }[];
    };
    const faults = checks.flatMap(({ ok, found }) => (ok ? [] : [found]));
    expect({ code, faults }).toEqual({ code: 1, faults: ["one node, no standby"] });
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "data folder",
      "disk",
      "database",
      "topology",
      "clock",
      "schema",
      "secret key",
      "worker",
      "disk per million",
      "wallet",
    ]);
  });

  test("says that nobody pays, and what the wallet last answered", async () => {
    await makeRecord(t.db);
    await t.sql`insert into wallet_health (wallet, kind, troubles, trouble_since, last_answer)
      values ('w', 'query', 0, null, null), ('w', 'pay', 10, now() - interval '1 minute', 'status 404')`;
    const { out } = await redctl("doctor");
    expect(out).toMatch(
      /FAULT {2}worker +workers: 0, waiting: 1; start a process with ROLE=worker/,
    );
    expect(out).toMatch(/FAULT {2}payouts +the wallet .* since 20.*: status 404; check the path/);
    await t.sql`truncate draw_record, payout, wallet_health cascade`;
  });

  test("says what a million rows take", async () => {
    await t.sql`select ensure_month('bet', '2024-05-01');
      insert into player (player_id, user_name) values ('room', 'room');
      insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
      select i, i::text, player_key, 100, 1234, '2024-05-10' from player, generate_series(1, 2000) i
      where player_id = 'room';
      analyze bet`;
    const { out } = await redctl("doctor", () => testConfig());
    expect(out).toMatch(/ok {5}disk per million +bets 0\.[01]\d GB and 0\.[1-3]\d GB of indexes\n/);
  });

  test.skipIf(process.env["TEST_DATABASE_URL"] !== undefined)(
    "names the settings by which PostgreSQL's log would hold values",
    async () => {
      const logs = async (settings: string) => {
        const url = new URL(databaseUrl({ ...t.connection, user: SUPERUSER }));
        const options = settings.split(" ").map((setting) => `-c ${setting}`);
        url.searchParams.set("options", options.join(" "));
        const ran = await redctl("doctor", () => testConfig({ databaseUrl: url.href }));
        return [...ran.out.matchAll(/FAULT {2}database log +(.*) is .*; PostgreSQL's log/g)].map(
          ([, name]) => name,
        );
      };
      const error = ["log_error_verbosity", "log_parameter_max_length_on_error"];
      expect(
        await logs(error.map((name, at) => `${name}=${at === 0 ? "default" : 9}`).join(" ")),
      ).toEqual(error);
      expect(await logs("debug_print_plan=on")).toEqual(["debug_print_plan"]);
      const length = "log_parameter_max_length";
      for (const logging of [
        "log_statement=mod",
        "log_min_duration_statement=0",
        "log_min_duration_sample=9",
        "log_transaction_sample_rate=0.1",
      ]) {
        expect(await logs(`${logging} ${length}=-1`)).toEqual([length]);
        expect(await logs(`${logging} ${length}=0`)).toEqual([]);
      }
      expect(await logs(`${length}=-1`)).toEqual([]);
    },
  );

  test.each<[string, Partial<Config>, RegExp]>([
    ["a database that is down", { databaseUrl: "postgres://r@127.0.0.1:1/x" }, /FAULT {2}database/],
    ["a standby that is down", { databaseReadUrl: "postgres://r@127.0.0.1:1/x" }, /READ_URL, or/],
    ["another secret key", { secretKey: Buffer.alloc(32, 1) }, /FAULT {2}secret key .*SECRET_KEY/],
    ["a data folder that is a file", { dataDir: "/dev/null/x" }, /FAULT {2}data folder/],
    [
      "a wallet that is down",
      { wallet: { url: "http://127.0.0.1:1", key: "k", secret: "s" } },
      /FAULT {2}wallet .*WALLET_URL/,
    ],
  ])("names %s, and what to do", async (_, changes, line) => {
    const { code, out } = await redctl("doctor", () => testConfig(changes));
    expect(code).toBe(1);
    expect(faultsIn(out)).toHaveLength(1);
    expect(out).toMatch(line);
  });

  test.each([
    [404, 0, /ok {5}wallet .*answers/],
    [401, 1, /FAULT {2}wallet .*401; check WALLET_KEY, WALLET_SECRET/],
  ])("takes a wallet's %i for %i faults", async (status, faults, line) => {
    const wallet = createServer((request, response) => {
      const isSigned = request.headers["x-signature"]?.length === 64;
      response.writeHead(isSigned ? status : 400).end();
    });
    await once(wallet.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void wallet.close());
    // A server on a port has an address of this type.
    const { port } = wallet.address() as AddressInfo;
    const config = () =>
      testConfig({ wallet: { url: `http://127.0.0.1:${port}`, key: "k", secret: "s" } });
    const ran = await redctl("doctor", config);
    expect(faultsIn(ran.out)).toHaveLength(faults);
    expect(ran.out).toMatch(line);
  });

  test.each([
    ["expired", "2026-02-01: CERT_HAS_EXPIRED; let the wallet's owner renew its certificate"],
    ["good", "2049-01-01: .*; check that WALLET_URL has .*"],
  ])("names the wallet's certificate that is %s", async (certificate, words) => {
    const pem = (name: string) =>
      readFileSync(`${REPOSITORY}/packages/fault-wallet/certificates/${name}.pem`);
    const wallet = createTlsServer({ key: pem("key"), cert: pem(certificate) });
    await once(wallet.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void wallet.close());
    const { port } = wallet.address() as AddressInfo;
    const config = () =>
      testConfig({ wallet: { url: `https://127.0.0.1:${port}`, key: "k", secret: "s" } });
    const ran = await redctl("doctor", config);
    expect(ran.out).toMatch(new RegExp(`FAULT {2}wallet certificate +ends ${words}\n`));
    expect(ran.out).toMatch(/FAULT {2}wallet +https.*certificate/);
  });
});

test("the configuration is printed without its secrets", async () => {
  const wallet = { WALLET_KEY: "the-key", WALLET_SECRET: "the-secret" };
  const config = () => readConfig({ WALLET_URL: "https://wallet.test", ...wallet });
  const { code, out } = await redctl("config print --json", config);
  expect(await redctl("--json config print", config)).toEqual({ code, out, err: "" });
  expect(code).toBe(0);
  expect(out).not.toMatch(/the-key|the-secret/);
  expect(JSON.parse(out)).toMatchObject({ WALLET_URL: "https://wallet.test", PORT: 8080 });
});
