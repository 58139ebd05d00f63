/**
 * Runs the examples of docs/integration.md in their languages, against a real server and wallet adapter.
 * `npm test` runs shell and node; `npm run prove -- examples` runs PHP and Java too.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createActivity } from "#rounds/change-activity";
import { createKey } from "#identity/change-key";
import { createPrize } from "#pools/change-prize";
import { secretBox } from "#platform/secret-box";
import { readConfig } from "#platform/config";
import { inTransaction } from "#platform/db/connection";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { databaseUrl } from "#test/database-url";
import { REPOSITORY, startListening } from "#test/entry-process";
import type { ListeningProcess } from "#test/entry-process";
import { makeFolder } from "#test/folder";
import { changeRows } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { afterAll, beforeAll, expect, test } from "vitest";

const t = useTestDb();
const SECRET_KEY = "a secret key for the examples of the integration";
const WALLET = { key: "wk_examples", secret: "secret-of-the-example-wallet" };
const folder = makeFolder(afterAll);
const ran: string[] = [];

/** Runs a program with only PATH and the given variables. The code is a text if there is no exit code. */
async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...environment } };
  return await new Promise<{ code: number | string | null; out: string; err: string }>(
    (resolve) => {
      execFile(program, words, options, (fault, out, err) =>
        resolve({ code: fault === null ? 0 : (fault.code ?? null), out, err }),
      );
    },
  );
}

async function isThere(program: string, word: string): Promise<boolean> {
  return (await run(program, [word])).code === 0;
}

type Ended = Awaited<ReturnType<typeof run>>;

/** Installs PHP if it is missing and we are root. Returns false if that is impossible. */
async function ensurePhp(): Promise<boolean> {
  if (await isThere("php", "--version")) {
    return true;
  }
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    return false;
  }
  const environment = { DEBIAN_FRONTEND: "noninteractive" };
  const wait = ["-o", "DPkg::Lock::Timeout=120"];
  await run("apt-get", [...wait, "update"], environment);
  const words = ["install", "-y", "--no-install-recommends", "php-cli"];
  const { code, err } = await run("apt-get", [...wait, ...words], environment);
  if (code !== 0) {
    process.stderr.write(`php-cli could not be installed: ${err}\n`);
  }
  return code === 0;
}

interface Language {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  readonly isThere: () => Promise<boolean>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: "shell",
    program: "sh",
    file: "draw.sh",
    isThere: async () =>
      (await isThere("curl", "--version")) && (await isThere("openssl", "version")),
  },
  { name: "node", program: process.execPath, file: "draw.mjs", isThere: async () => true },
  { name: "php", program: "php", file: "draw.php", isThere: ensurePhp },
  // Java needs the compiler to run a source file.
  { name: "java", program: "java", file: "Draw.java", isThere: () => isThere("javac", "-version") },
];

async function makeRoundOfDeposits(): Promise<number> {
  const pool_name = "例子池";
  const prize = prizeForm({ pool_name, award_total: 1_000 });
  const round = activityForm({
    pool_name,
    achieve_start_time: "2026-01-01 00:00:00",
    achieve_end_time: "2096-01-01 00:00:00",
    start_time: "2026-01-01 00:00:00",
    end_time: "2096-01-01 00:00:00",
  });
  return await inTransaction(t.db, async (tx) => {
    await createPrize(tx, OPERATOR, prize);
    return (await createActivity(tx, OPERATOR, round, ZONE)).data.id;
  });
}

const started = { url: "", key: "", secret: "", ledger: path.join(folder, "ledger.jsonl") };
const processes: ListeningProcess[] = [];

beforeAll(async () => {
  await makeRoundOfDeposits();
  const { secretKey } = readConfig({ SECRET_KEY });
  const secrets = secretBox(secretKey ?? Buffer.alloc(0));
  const scopes = ["ingest", "draw", "read"];
  const made = await inTransaction(t.db, (tx) =>
    createKey(tx, OPERATOR, secrets, { name: "examples", scopes }),
  );
  const wallet = await startListening("docs/integration/wallet-adapter.mjs", {
    LEDGER: started.ledger,
    WALLET_KEY: WALLET.key,
    WALLET_SECRET: WALLET.secret,
  });
  processes.push(wallet);
  const server = await startListening("packages/server/src/main.ts", {
    DATA_DIR: path.join(folder, "data"),
    DATABASE_URL: databaseUrl(t.connection),
    SECRET_KEY,
    WALLET_URL: wallet.url,
    WALLET_KEY: WALLET.key,
    WALLET_SECRET: WALLET.secret,
    LOG_LEVEL: "fatal",
  });
  processes.unshift(server);
  Object.assign(started, made, { url: server.url });
});

afterAll(async () => {
  for (const one of processes) {
    await one.stop("SIGTERM");
  }
});

async function paidRecords(player_id: string) {
  return await t.db
    .selectFrom("draw_record as r")
    .innerJoin("player as p", "p.player_key", "r.player_key")
    .innerJoin("payout as o", "o.log_id", "r.id")
    .select(["r.id", "o.trans_sn", "o.state", "p.user_name"])
    .where("p.player_id", "=", player_id)
    .execute();
}

async function expectDrawn(player_id: string, { code, out, err }: Ended): Promise<void> {
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^player: .*"accepted":1/m);
  expect(out).toMatch(/^deposit: .*"accepted":1/m);
  expect(out).toMatch(/^chances in round \d+.*"total":1,"already":0,"remain":1/m);
  expect(out).toMatch(/^drawn: .*"award_name":"8.88元红包"/m);
  // The example repeats its query until the prize is paid.
  expect(out).toMatch(/^award_status: 1$/m);
  const records = await paidRecords(player_id);
  expect(records).toMatchObject([{ state: "paid", user_name: `示例玩家-${player_id}` }]);
  expect(out).toContain(`repeated: the same record, ${records[0]?.id}\n`);
  const credits = readFileSync(started.ledger, "utf8")
    .split("\n")
    .filter((line) => line.includes(`"${player_id}"`));
  expect(credits).toHaveLength(1);
  expect(JSON.parse(credits[0] ?? "")).toMatchObject({
    trans_sn: records[0]?.trans_sn,
    amount: "8.88",
  });
}

async function runExample(
  program: string,
  [file = "", ...words]: readonly string[],
  secret = started.secret,
) {
  const example = path.join(REPOSITORY, "docs/integration/examples", file);
  const environment = { RED_URL: started.url, RED_KEY: started.key, RED_SECRET: secret };
  return await run(program, [example, ...words], environment);
}

const IS_WHOLE = process.env["PROVE_N"] !== undefined;
const PATIENCE_MS = 300_000;

test.for(LANGUAGES.filter(({ name }) => IS_WHOLE || name === "shell" || name === "node"))(
  "the example in $name feeds, draws, and draws again in vain",
  { timeout: PATIENCE_MS },
  async ({ name, program, file, isThere: isUsable }, context) => {
    if (!(await isUsable())) {
      context.skip(`${name} is not installed on this machine`);
    }
    await expectDrawn(`p-${name}`, await runExample(program, [file, `p-${name}`]));
    const refused = await runExample(program, [file, "p-x"], "another");
    expect(refused.code).not.toBe(0);
    expect(`${refused.out}${refused.err}`).toContain("signature_invalid");
    ran.push(name);
  },
);

const playerPage = (...words: readonly string[]) =>
  runExample(process.execPath, ["player-page.mjs", "p-node", ...words]);

test("the example of a player's page shows prizes, odds, why no draw is left, and what was drawn", async () => {
  const page = await playerPage();
  expect({ code: page.code, err: page.err }).toEqual({ code: 0, err: "" });
  expect(page.out).toMatch(/^ {2}rule: A player earns 1 draw for every full 120/m);
  expect(page.out).toMatch(/^ {2}prize: 8.88元红包, 100 % {2}Plenty left$/m);
  expect(page.out).toMatch(/^ {2}draws: 0 left of 1, 1 drawn$/m);
  expect(page.out).toMatch(
    /^ {2}in words: The only draw is used; 120.00 more in deposits give 1\.$/m,
  );
  expect(page.out).toMatch(/^drawn 20.*: 8.88元红包 \(.*\), Paid$/m);
  await changeRows(t.db, "player", { player_id: "p-node" }, { blocked: true });
  const blocked = await playerPage();
  expect(blocked.out).toMatch(/^ {2}in words: Drawing is not possible at the moment\.$/m);
});

test("its receipts, written once the draw is sealed, hold", { timeout: PATIENCE_MS }, async () => {
  const page = await playerPage(folder);
  const [, publicKey = ""] = /^receipts: 1, under the key (.*)$/m.exec(page.out) ?? [];
  const verifier = path.join(REPOSITORY, "tools/verify-receipt.mjs");
  const words = ["receipts.jsonl", "--checkpoints", "checkpoints.jsonl", "--player", "p-node"];
  const { out } = await run(process.execPath, [verifier, ...words, "--key", publicKey]);
  expect(out).toBe("1 of 1 receipts hold\n");
});

test("reports which of them ran; those without their language count as skipped", () => {
  process.stdout.write(`examples of docs/integration.md that ran: ${ran.join(", ")}\n`);
  expect(ran).toContain("node");
});
