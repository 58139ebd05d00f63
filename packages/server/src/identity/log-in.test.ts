import { randomBytes } from "node:crypto";
import { setOperatorDisabled } from "./disable-operator.ts";
import { resetTotp } from "./reset-operator.ts";
import { secretBox } from "#platform/secret-box";
import { inTransaction, openDb, openPool } from "#platform/connection";
import type { Db } from "#platform/connection";
import { attempt, boundOperator, codeAt, later, newOperator } from "#test/operator-factory";
import { PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { useTestDb } from "#test/test-db";
import { renderSVG } from "uqr";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const secrets = secretBox(randomBytes(32));

/* The middle of a step: some seconds either way stay inside it. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);
const DAY = 24 * 60 * 60;

function anotherProcess(): Db {
  const options = { max: 10, name: "other", statementTimeoutMs: 0, onFault: () => {} };
  return openDb(openPool(t.connection, options));
}

async function operatorRow(name: string) {
  return await t.db
    .selectFrom("operator")
    .selectAll()
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
}

describe("binding an authenticator", () => {
  test("the code that bound it is used up", async () => {
    const name = "bind-once";
    const secret = await boundOperator(t.db, secrets, name, NOW);
    expect(await attempt(t.db, secrets, { name, code: codeAt(secret, NOW) }, NOW)).toEqual({
      kind: "code",
      msg: "code_used",
    });
  });

  test("the picture is the QR code of the seed's otpauth address", async () => {
    const name = "bind picture";
    const secret = await newOperator(t.db, secrets, name, NOW);
    const uri =
      `otpauth://totp/red%20packet:bind%20picture?issuer=red%20packet&secret=${secret}` +
      "&algorithm=SHA1&digits=6&period=30";
    const svg = Buffer.from(renderSVG(uri, { ecc: "M", border: 2 })).toString("base64");
    expect(await attempt(t.db, secrets, { name }, NOW)).toMatchObject({
      qr_code: `data:image/svg+xml;base64,${svg}`,
    });
  });

  test("the seed is kept encrypted, for this operator only", async () => {
    const name = "bind-sealed";
    const secret = await newOperator(t.db, secrets, name, NOW);
    const pending = await operatorRow(name);
    expect(pending.totp_secret).toBeNull();
    expect(pending.totp_pending?.includes(secret)).toBe(false);
    await attempt(t.db, secrets, { name, code: codeAt(secret, NOW) }, NOW);
    const bound = await operatorRow(name);
    expect(bound.totp_pending).toBeNull();
    const sealed = bound.totp_secret ?? Buffer.alloc(0);
    expect(secrets.open(`totp:${bound.id}`, sealed)).toBe(secret);
    expect(() => secrets.open(`totp:${bound.id + 1}`, sealed)).toThrow(/authenticate/);
  });

  test("several first sign-ins at once show one seed", async () => {
    const name = "bind-parallel";
    await newOperator(t.db, secrets, name, NOW);
    await inTransaction(t.db, (tx) => resetTotp(tx, TEST_ACTOR, { name }));
    const results = await Promise.all(
      Array.from({ length: 8 }, () => attempt(t.db, secrets, { name }, NOW)),
    );
    const seeds = results.map((result) => (result.kind === "bind" ? result.secret : result.kind));
    expect(new Set(seeds).size).toBe(1);
  });

  test("nothing is shown or bound after 24 hours", async () => {
    const name = "bind-late";
    const secret = await newOperator(t.db, secrets, name, NOW);
    const inTime = later(new Date(), DAY - 60);
    const late = later(new Date(), DAY + 60);
    expect(await attempt(t.db, secrets, { name }, inTime)).toMatchObject({ kind: "bind", secret });
    expect(await attempt(t.db, secrets, { name }, late)).toEqual({ kind: "bind_expired" });
    expect(await attempt(t.db, secrets, { name, code: codeAt(secret, late) }, late)).toEqual({
      kind: "bind_expired",
    });
  });

  test("a reset shows another seed, and the old one is worthless", async () => {
    const name = "bind-reset";
    const old = await boundOperator(t.db, secrets, name, NOW);
    await inTransaction(t.db, (tx) => resetTotp(tx, TEST_ACTOR, { name }));
    const at = later(NOW, 300);
    const result = await attempt(t.db, secrets, { name, code: codeAt(old, at) }, at);
    expect(result).toMatchObject({ kind: "bind", msg: "bind_wrong" });
    expect(result).not.toMatchObject({ secret: old });
  });
});

describe("a one-time code", () => {
  test("is accepted one step either side, in rising order", async () => {
    const name = "code-window";
    const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
    for (const seconds of [-30, 0, 30]) {
      const code = codeAt(secret, later(NOW, seconds));
      expect(await attempt(t.db, secrets, { name, code }, NOW)).toMatchObject({
        kind: "signed_in",
      });
    }
  });

  test.each([-61, -60, 60, 61])("of %i s away is refused", async (seconds) => {
    const name = `code-away${seconds}`;
    // Edges of a step: its last moment reaches furthest back, its first furthest ahead.
    const edge = later(NOW, seconds < 0 ? -15 : 14.999);
    const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
    const code = codeAt(secret, later(edge, seconds));
    expect(await attempt(t.db, secrets, { name, code }, edge)).toEqual({
      kind: "code",
      msg: "code_wrong",
    });
  });

  test("works once, and older codes no more", async () => {
    const name = "code-once";
    const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
    const code = codeAt(secret, NOW);
    expect(await attempt(t.db, secrets, { name, code }, NOW)).toMatchObject({ kind: "signed_in" });
    const used = { kind: "code", msg: "code_used" };
    expect(await attempt(t.db, secrets, { name, code }, NOW)).toEqual(used);
    const previous = codeAt(secret, later(NOW, -30));
    expect(await attempt(t.db, secrets, { name, code: previous }, NOW)).toEqual(used);
    const restarted = anotherProcess();
    expect(await attempt(restarted, secrets, { name, code }, later(NOW, 20))).toEqual(used);
    await restarted.destroy();
  });

  test("used 50 times at once by two processes from many addresses opens one session", async () => {
    const name = "code-parallel";
    const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
    const { id } = await operatorRow(name);
    const sessions = async () =>
      await t.db.selectFrom("session").select("token_hash").where("operator_id", "=", id).execute();
    const before = await sessions();
    const other = anotherProcess();
    const code = codeAt(secret, NOW);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const address = at < 25 ? "192.0.2.1" : `198.51.100.${at}`;
        return attempt(at % 2 === 0 ? t.db : other, secrets, { name, code, address }, NOW);
      }),
    );
    await other.destroy();
    const kinds = results.map((result) => (result.kind === "code" ? result.msg : result.kind));
    expect(kinds.filter((kind) => kind === "signed_in")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "code_used")).toHaveLength(49);
    expect(await sessions()).toHaveLength(before.length + 1);
  });

  test("may be typed with a gap and in full-width digits", async () => {
    const name = "code-typed";
    const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
    const code = codeAt(secret, NOW);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await attempt(t.db, secrets, { name, code: spaced }, NOW)).toMatchObject({
      kind: "signed_in",
    });
    const wide = codeAt(secret, later(NOW, 30)).replaceAll(/\d/g, (digit) =>
      String.fromCodePoint(0xff10 + Number(digit)),
    );
    expect(await attempt(t.db, secrets, { name, code: wide }, NOW)).toMatchObject({
      kind: "signed_in",
    });
  });
});

describe("a password", () => {
  test("is refused with one error when it is wrong, or its operator unknown or disabled", async () => {
    await boundOperator(t.db, secrets, "pass-known", NOW);
    await boundOperator(t.db, secrets, "pass-disabled", NOW);
    await inTransaction(t.db, (tx) =>
      setOperatorDisabled(tx, TEST_ACTOR, { name: "pass-disabled", disabled: true }),
    );
    const refusal = async (name: string, password: string) => {
      const input = { name, password, address: "192.0.2.77" };
      return await attempt(t.db, secrets, input, NOW).catch((fault: unknown) => fault);
    };
    const wrong = await refusal("pass-known", "not the password");
    expect(wrong).toMatchObject({ key: "login_wrong", values: {}, data: null });
    expect(await refusal("pass-nobody", "not the password")).toEqual(wrong);
    expect(await refusal("pass-disabled", PASSWORD)).toEqual(wrong);
    expect(await refusal("pass-disabled", "not the password")).toEqual(wrong);
  });

  test("of an unknown operator takes as much work to refuse as a wrong one", async () => {
    await boundOperator(t.db, secrets, "pass-timed", NOW);
    // Processor time of all threads: other processes do not count.
    const work = { "pass-timed": 0, "pass-nobody": 0 };
    for (let turn = 0; turn < 15; turn += 1) {
      for (const name of ["pass-timed", "pass-nobody"] as const) {
        const before = process.cpuUsage();
        const input = { name, password: "not the password", address: `192.0.2.${turn}` };
        await attempt(t.db, secrets, input, NOW).catch(() => {});
        const { user, system } = process.cpuUsage(before);
        work[name] += user + system;
      }
    }
    // Without a hash it would be a fifth or less.
    expect(work["pass-nobody"] / work["pass-timed"]).toBeGreaterThan(0.6);
    expect(work["pass-nobody"] / work["pass-timed"]).toBeLessThan(1.6);
  });

  test("may be typed in any Unicode form, the name in any case", async () => {
    const secret = await boundOperator(t.db, secrets, "Pass-Case", later(NOW, -600));
    const input = { name: "pASS-cASE", password: PASSWORD.replace("c", "\uff43") };
    expect(await attempt(t.db, secrets, { ...input, code: codeAt(secret, NOW) }, NOW)).toEqual({
      kind: "signed_in",
      name: "Pass-Case",
    });
    await expect(
      attempt(t.db, secrets, { name: "Pass-Case", password: PASSWORD.toUpperCase() }, NOW),
    ).rejects.toMatchObject({ key: "login_wrong" });
  });
});

test("the browser's previous session ends only when a sign-in succeeds", async () => {
  const name = "replaced";
  const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
  const first = randomBytes(32);
  await attempt(t.db, secrets, { name, code: codeAt(secret, NOW), token_hash: first }, NOW);
  const endOf = async () =>
    await t.db
      .selectFrom("session")
      .select("ended_by")
      .where("token_hash", "=", first)
      .executeTakeFirst();
  await attempt(t.db, secrets, { name, replaces: first }, NOW);
  expect(await endOf()).toEqual({ ended_by: null });
  const code = codeAt(secret, later(NOW, 30));
  await attempt(t.db, secrets, { name, code, replaces: first }, NOW);
  expect(await endOf()).toEqual({ ended_by: "logout" });
});
