import { randomBytes } from "node:crypto";
import { LOGIN_FAILURES_MAX } from "@red/contract/platform/limits";
import { resetPassword, resetTotp, setOperatorDisabled } from "./change-operator.ts";
import { insertFailure, lockAttempts } from "./login-failure-sql.ts";
import { countWrongCodes } from "./operator-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { secretBox } from "#platform/secret-box";
import { attempt, boundOperator, codeAt, later, newOperator } from "#test/operator-factory";
import { PASSWORD, TEST_ACTOR, wrongCodeAt } from "#test/operator-factory";
import { hold, untilWaiting } from "#test/races";
import { auditsOf, changeRows, rowOf, rowsOf } from "#test/rows";
import { connect, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { renderSVG } from "uqr";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const secrets = secretBox(randomBytes(32));

/* The middle of a time step: some seconds earlier or later are still in the same step. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);
const EARLIER = later(NOW, -600);
const WRONG = "not the password";

const anotherProcess = () => connect(t.connection, 10);

const bound = (name: string, now = EARLIER) => boundOperator(t.db, secrets, name, now);
const fresh = (name: string) => newOperator(t.db, secrets, name, NOW);
const signIn = (input: Parameters<typeof attempt>[2], now = NOW, db = t.db) =>
  attempt(db, secrets, input, now);

const operatorRow = (name: string) => rowOf(t.db, "operator", { name });

describe("binding an authenticator", () => {
  test("the code that bound it is used up", async () => {
    const name = "bind-once";
    const secret = await bound(name, NOW);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await operatorRow(name)).totp_step).toBe(Math.floor(NOW.getTime() / 30_000));
    expect(await signIn({ name, code: codeAt(secret, NOW) })).toEqual({
      kind: "code",
      msg: "code_used",
    });
  });

  test("the picture is the QR code of the seed's otpauth address", async () => {
    const name = "bind-图";
    const secret = await fresh(name);
    const uri =
      `otpauth://totp/red%20packet:bind-%E5%9B%BE?issuer=red%20packet&secret=${secret}` +
      "&algorithm=SHA1&digits=6&period=30";
    const svg = Buffer.from(renderSVG(uri, { ecc: "M", border: 2 })).toString("base64");
    expect(await signIn({ name })).toMatchObject({ qr_code: `data:image/svg+xml;base64,${svg}` });
  });

  test("the seed is kept encrypted, for this operator only", async () => {
    const name = "bind-sealed";
    const secret = await fresh(name);
    const pending = await operatorRow(name);
    expect(pending.totp_secret).toBeNull();
    expect(pending.totp_pending?.includes(secret)).toBe(false);
    await signIn({ name, code: codeAt(secret, NOW) });
    const after = await operatorRow(name);
    expect(after.totp_pending).toBeNull();
    const sealed = after.totp_secret ?? Buffer.alloc(0);
    expect(secrets.open(`totp:${after.id}`, sealed)).toBe(secret);
    expect(() => secrets.open(`totp:${after.id + 1}`, sealed)).toThrow(/authenticate/);
  });

  test("several first sign-ins at once show one seed", async () => {
    const name = "bind-parallel";
    await fresh(name);
    await inTransaction(t.db, (tx) => resetTotp(tx, TEST_ACTOR, { name }));
    const results = await Promise.all(Array.from({ length: 8 }, () => signIn({ name })));
    const seeds = results.map((result) => (result.kind === "bind" ? result.secret : result.kind));
    expect(new Set(seeds).size).toBe(1);
  });

  test("nothing is shown or bound after 24 hours", async () => {
    const name = "bind-late";
    const secret = await fresh(name);
    const inTime = (await operatorRow(name)).bind_until;
    const late = later(inTime, 0.001);
    expect(await signIn({ name }, inTime)).toMatchObject({ kind: "bind", secret });
    expect(await signIn({ name }, late)).toEqual({ kind: "bind_expired" });
    expect(await signIn({ name, code: codeAt(secret, late) }, late)).toEqual({
      kind: "bind_expired",
    });
  });

  test("a reset shows another seed, and the old one is worthless", async () => {
    const name = "bind-reset";
    const old = await bound(name, NOW);
    await inTransaction(t.db, (tx) => resetTotp(tx, TEST_ACTOR, { name }));
    const at = later(NOW, 300);
    const result = await signIn({ name, code: codeAt(old, at) }, at);
    expect(result).toMatchObject({ kind: "bind", msg: "bind_wrong" });
    expect(result).not.toMatchObject({ secret: old });
  });
});

describe("a one-time code", () => {
  test("is accepted one step either side, in rising order", async () => {
    const name = "code-window";
    const secret = await bound(name);
    for (const seconds of [-30, 0, 30]) {
      const code = codeAt(secret, later(NOW, seconds));
      expect(await signIn({ name, code })).toMatchObject({ kind: "signed_in" });
    }
  });

  test.each([-61, -60, 60, 61])("of %i s away is refused", async (seconds) => {
    const name = `code-away${seconds}`;
    // At the last moment of a step the oldest code is valid, at the first moment the newest.
    const edge = later(NOW, seconds < 0 ? -15 : 14.999);
    const secret = await bound(name);
    const code = codeAt(secret, later(edge, seconds));
    expect(await signIn({ name, code }, edge)).toEqual({ kind: "code", msg: "code_wrong" });
  });

  test("of another form is refused", async () => {
    const name = "code-form";
    await bound(name);
    for (const code of ["12345", "1234567", "12345a", "六六六六六六"]) {
      expect(await signIn({ name, code })).toEqual({ kind: "code", msg: "code_wrong" });
    }
  });

  test("works once, and older codes no more", async () => {
    const name = "code-once";
    const secret = await bound(name);
    const code = codeAt(secret, NOW);
    expect(await signIn({ name, code })).toMatchObject({ kind: "signed_in" });
    const used = { kind: "code", msg: "code_used" };
    expect(await signIn({ name, code })).toEqual(used);
    const previous = codeAt(secret, later(NOW, -30));
    expect(await signIn({ name, code: previous })).toEqual(used);
    const restarted = anotherProcess();
    expect(await signIn({ name, code }, later(NOW, 20), restarted)).toEqual(used);
    await restarted.destroy();
  });

  test("used 50 times at once by two processes from many addresses opens one session", async () => {
    const name = "code-parallel";
    const secret = await bound(name);
    const { id } = await operatorRow(name);
    const sessions = async () =>
      await t.db.selectFrom("session").select("token_hash").where("operator_id", "=", id).execute();
    const before = await sessions();
    const other = anotherProcess();
    const code = codeAt(secret, NOW);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const address = at < 25 ? "192.0.2.1" : `198.51.100.${at}`;
        return signIn({ name, code, address }, NOW, at % 2 === 0 ? t.db : other);
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
    const secret = await bound(name);
    const code = codeAt(secret, NOW);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await signIn({ name, code: spaced })).toMatchObject({ kind: "signed_in" });
    const wide = codeAt(secret, later(NOW, 30)).replaceAll(/\d/g, (digit) =>
      String.fromCodePoint(0xff10 + Number(digit)),
    );
    expect(await signIn({ name, code: wide })).toMatchObject({ kind: "signed_in" });
  });
});

describe("a password", () => {
  test("is refused with one error when it is wrong, or its operator unknown or disabled", async () => {
    await bound("pass-known", NOW);
    await bound("pass-disabled", NOW);
    await inTransaction(t.db, (tx) =>
      setOperatorDisabled(tx, TEST_ACTOR, { name: "pass-disabled", disabled: true }),
    );
    const refusal = async (name: string, password: string) => {
      const input = { name, password, address: "192.0.2.77" };
      return await signIn(input).catch((fault: unknown) => fault);
    };
    const wrong = await refusal("pass-known", WRONG);
    expect(wrong).toMatchObject({ key: "login_wrong", values: {}, data: null });
    expect(await refusal("pass-nobody", WRONG)).toEqual(wrong);
    expect(await refusal("pass-disabled", PASSWORD)).toEqual(wrong);
    expect(await refusal("pass-disabled", WRONG)).toEqual(wrong);
    const of = { outcome: "refused", object_id: String((await operatorRow("pass-disabled")).id) };
    expect(await auditsOf(t.db, ["after"], of as { outcome: "refused" })).toMatchObject([
      { after: { why: "disabled" } },
      { after: { why: "disabled" } },
    ]);
  });

  test.each<[string, (tx: Tx, name: string) => Promise<unknown>]>([
    ["a new password", (tx, name) => resetPassword(tx, TEST_ACTOR, { name, password: null })],
    ["being disabled", (tx, name) => setOperatorDisabled(tx, TEST_ACTOR, { name, disabled: true })],
  ])("that was right is refused after %s meanwhile", async (what, change) => {
    const name = `pass-${what.replaceAll(" ", "-")}`;
    await bound(name);
    const held = await hold(t.db, (tx) => change(tx, name));
    const signing = outcome({ name });
    await untilWaiting(t.db);
    await held.commit();
    expect(await signing).toBe("login_wrong");
  });

  test("of an unknown operator takes as much work to refuse as a wrong one", async () => {
    await bound("pass-timed", NOW);
    // Measures the processor time of this process, so that other processes do not matter.
    const work = { "pass-timed": 0, "pass-nobody": 0 };
    for (let turn = 0; turn < 15; turn += 1) {
      for (const name of ["pass-timed", "pass-nobody"] as const) {
        const before = process.cpuUsage();
        const input = { name, password: WRONG, address: `192.0.2.${turn}` };
        await signIn(input).catch(() => {});
        const { user, system } = process.cpuUsage(before);
        work[name] += user + system;
      }
    }
    // Without hashing a password, the ratio would be 0.2 or less.
    expect(work["pass-nobody"] / work["pass-timed"]).toBeGreaterThan(0.6);
    expect(work["pass-nobody"] / work["pass-timed"]).toBeLessThan(1.6);
  });

  test("may be typed in any Unicode form, the name in any case", async () => {
    const secret = await bound("Pass-Case");
    const input = { name: "pASS-cASE", password: PASSWORD.replace("c", "\uff43") };
    expect(await signIn({ ...input, code: codeAt(secret, NOW) })).toEqual({
      kind: "signed_in",
      name: "Pass-Case",
    });
    await expect(
      signIn({ name: "Pass-Case", password: PASSWORD.toUpperCase() }),
    ).rejects.toMatchObject({ key: "login_wrong" });
  });
});

test("the browser's previous session ends only when a sign-in succeeds", async () => {
  const name = "replaced";
  const secret = await bound(name);
  const first = randomBytes(32);
  await signIn({ name, code: codeAt(secret, NOW), token_hash: first });
  const endOf = async () => (await rowOf(t.db, "session", { token_hash: first })).ended_by;
  await signIn({ name, replaces: [first] });
  expect(await endOf()).toBeNull();
  const code = codeAt(secret, later(NOW, 30));
  await signIn({ name, code, replaces: [first] });
  expect(await endOf()).toBe("logout");
  await changeRows(t.db, "session", { token_hash: first }, { ended_by: "other" });
  const at = later(NOW, 60);
  const again = { name, code: codeAt(secret, at), replaces: [first] };
  expect((await signIn(again, at)).kind).toBe("signed_in");
  expect(await endOf()).toBe("other");
});

async function outcome(input: Parameters<typeof attempt>[2], db: Db = t.db) {
  try {
    const result = await signIn(input, NOW, db);
    return "msg" in result ? result.msg : result.kind;
  } catch (fault) {
    return fault instanceof Error ? fault.message : "";
  }
}

async function failTimes(times: number, input: Parameters<typeof attempt>[2]) {
  const outcomes: string[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    outcomes.push(await outcome({ password: WRONG, ...input }));
  }
  return outcomes;
}

/** Inserts failures as rows, because each real attempt would hash a password. */
async function plantFailures(name: string, address = "192.0.2.1", times = LOGIN_FAILURES_MAX - 1) {
  for (let turn = 0; turn < times; turn += 1) {
    await inTransaction(t.db, (tx) => insertFailure(tx, { name, address }));
  }
}

async function age(name: string, minutes: number): Promise<void> {
  const failed_at = sql<Date>`failed_at - make_interval(mins => ${minutes}::int)`;
  await changeRows(t.db, "login_failure", { name_key: name }, { failed_at });
}

/** Number of parallel wrong codes; `PROVE_N=1000` for more. */
const GUESSES = Number(process.env["PROVE_N"] ?? 60);

test(`of ${GUESSES} wrong codes from new addresses thirty are judged, and the owner's meanwhile`, async () => {
  const name = "guessed";
  const secret = await bound(name);
  const { id } = await operatorRow(name);
  const other = anotherProcess();
  const homeAgo = (span: string) =>
    changeRows(
      t.db,
      "audit_log",
      { action: "log_in", outcome: "done", object_id: String(id) },
      {
        at: sql.raw<Date>(`now() - interval '${span}'`),
      },
    );
  await homeAgo("30 days -1 minute");
  let done = 0;
  const guesses = Array.from({ length: GUESSES }, (_, at) => {
    const input = { name, code: wrongCodeAt(secret, NOW), address: `10.1.${at >> 8}.${at & 255}` };
    return outcome(input, at % 2 === 0 ? t.db : other).finally(() => (done += 1));
  });
  const home = { name, code: codeAt(secret, later(NOW, -30)), address: "203.0.113.9" };
  expect(await outcome(home)).toBe("signed_in");
  expect(done).toBeLessThan(GUESSES / 2);
  const judged = (await Promise.all(guesses)).filter((one) => one === "code_wrong");
  expect([judged.length, await countWrongCodes(t.db, id)]).toEqual([30, 30]);
  await homeAgo("30 days");
  const right = { ...home, code: codeAt(secret, NOW) };
  expect(await outcome({ ...right, password: WRONG })).toBe("login_wrong");
  const ageBy = async (seconds: number) =>
    await t.sql`update audit_log set at = at - make_interval(secs => ${seconds}),
      id = id - ${seconds}::bigint * 16384000 where object_id = ${String(id)} and after ? 'new_address'`;
  await ageBy(3_600 - 30);
  await expect(signIn(right)).rejects.toMatchObject({ values: { minutes: 1 } });
  await ageBy(30);
  expect(await outcome(right)).toBe("signed_in");
  await inTransaction(t.db, (tx) => resetPassword(tx, TEST_ACTOR, { name, password: null }));
  expect(await countWrongCodes(t.db, id)).toBe(0);
  await other.destroy();
});

describe("failures", () => {
  test("ten failures lock the account for that address alone, also for the right password", async () => {
    const name = "lock-ten";
    await bound(name);
    await bound("lock-neighbour");
    expect(await failTimes(LOGIN_FAILURES_MAX, { name })).toEqual(
      Array.from({ length: LOGIN_FAILURES_MAX }, () => "login_wrong"),
    );
    await expect(signIn({ name })).rejects.toMatchObject({
      key: "login_locked",
      values: { minutes: 15 },
    });
    expect(await outcome({ name: "LOCK-ten" })).toBe("login_locked");
    expect(await outcome({ name, address: "192.0.2.2" })).toBe("code_needed");
    expect(await outcome({ name: "lock-neighbour" })).toBe("code_needed");
  });

  test("the lock survives a restart, and ends when the failures are 15 minutes old", async () => {
    const name = "lock-restart";
    await bound(name);
    await plantFailures(name, "192.0.2.1", LOGIN_FAILURES_MAX);
    const restarted = anotherProcess();
    expect(await outcome({ name }, restarted)).toBe("login_locked");
    await restarted.destroy();
    await age(name, 10);
    await expect(signIn({ name })).rejects.toMatchObject({ values: { minutes: 5 } });
    // If there are more than ten failures, the last ten count.
    await plantFailures(name);
    await expect(signIn({ name })).rejects.toMatchObject({ values: { minutes: 5 } });
    await plantFailures(name, "192.0.2.1", 1);
    await expect(signIn({ name })).rejects.toMatchObject({ values: { minutes: 15 } });
    await age(name, 15);
    expect(await outcome({ name })).toBe("code_needed");
  });

  test("an account that does not exist is locked like one that does", async () => {
    const name = "lock-nobody";
    await plantFailures(name);
    expect(await failTimes(2, { name })).toEqual(["login_wrong", "login_locked"]);
  });

  test("wrong codes count, calls without a code and used codes do not, and step 1 resets nothing", async () => {
    const name = "lock-codes";
    const secret = await bound(name);
    const code = wrongCodeAt(secret, NOW);
    await outcome({ name, code: codeAt(secret, later(NOW, -30)), address: "198.51.100.1" });
    await plantFailures(name);
    expect(await outcome({ name })).toBe("code_needed");
    expect(await outcome({ name, code: codeAt(secret, later(NOW, -30)) })).toBe("code_used");
    expect(await outcome({ name, code })).toBe("code_wrong");
    expect(await outcome({ name, code: codeAt(secret, NOW) })).toBe("login_locked");
  });

  test("an attempt waits for the one before it and counts its failure", async () => {
    const tenth = { name: "lock-in-turn", address: "192.0.2.1" };
    await plantFailures(tenth.name);
    const held = await hold(t.db, async (tx) => {
      await lockAttempts(tx, tenth);
      await insertFailure(tx, tenth);
    });
    const eleventh = outcome({ name: "LOCK-in-turn", password: WRONG });
    await untilWaiting(t.db);
    await held.commit();
    expect(await eleventh).toBe("login_locked");
  });

  async function audits(name: string) {
    const of = { object_type: "operator", object_id: String((await operatorRow(name)).id) };
    return await auditsOf(t.db, ["action", "actor_kind", "outcome", "address", "after"], of);
  }

  test("each failure leaves one audit row with its reason; the one that locks says for how long", async () => {
    const name = "lock-audited";
    const secret = await bound(name);
    const before = (await audits(name)).length;
    await plantFailures(name, "192.0.2.1", LOGIN_FAILURES_MAX - 2);
    await outcome({ name, code: wrongCodeAt(secret, NOW) });
    await failTimes(3, { name });
    const row = (after: object) => ({
      action: "log_in",
      actor_kind: "system",
      outcome: "refused",
      address: "192.0.2.1",
      after,
    });
    expect((await audits(name)).slice(before)).toEqual([
      row({ why: "wrong_code", failures: 9, new_address: true }),
      row({ why: "wrong_password", failures: 10, locked_minutes: 15 }),
    ]);
  });

  test("an unknown name is not audited: it may be a password", async () => {
    const name = "hunter2 hunter2";
    await failTimes(1, { name });
    const last = sql<number>`(select max(id) from audit_log)`;
    const row = await rowOf(t.db, "audit_log", { id: last });
    expect(row).toMatchObject({
      action: "log_in",
      outcome: "refused",
      object_id: null,
      after: { why: "unknown_name", failures: 1 },
    });
    expect(JSON.stringify(row)).not.toContain("hunter2");
  });

  test("a success clears the failures from its own address only", async () => {
    const name = "lock-success";
    const secret = await bound(name);
    const elsewhere = "192.0.2.66";
    await plantFailures("Lock-Success");
    await plantFailures("lock-beside");
    await plantFailures(name, elsewhere);
    const right = { name: "LOCK-success", code: codeAt(secret, NOW) };
    expect(await outcome(right)).toBe("signed_in");
    expect(await rowsOf(t.db, "login_failure", { name_key: "lock-beside" })).toHaveLength(9);
    await failTimes(1, { name });
    await failTimes(1, { name, address: elsewhere });
    expect(await outcome({ name })).toBe("code_needed");
    expect(await outcome({ name, address: elsewhere })).toBe("login_locked");
  });
});
