import {
  changeRoles,
  createOperator,
  ensureFirstOperator,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "./change-operator.ts";
import { ROLE_NAMES } from "@red/contract/platform/permissions";
import { newRecoveryCode } from "./authenticator.ts";
import { generatePassword, isPassword } from "./password.ts";
import { countRecoveryCodes, insertRecoveryCodes, useRecoveryCode } from "./recovery-sql.ts";
import { insertSession } from "./session-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { hasOperator } from "./operator-sql.ts";
import { PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { connect, useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();

const create = (input: Parameters<typeof createOperator>[2]) =>
  inTransaction(t.db, (tx) => createOperator(tx, TEST_ACTOR, input));
const reset = (input: Parameters<typeof resetPassword>[2]) =>
  inTransaction(t.db, (tx) => resetPassword(tx, TEST_ACTOR, input));

const operatorRow = (name: string) => rowOf(t.db, "operator", { name });
const hashOf = async (name: string) => (await operatorRow(name)).password_hash;

const actsOn = async (name: string) => {
  const of = { object_type: "operator", object_id: String((await operatorRow(name)).id) };
  return await auditsOf(t.db, ["action", "before", "after"], of);
};

async function withTwoProcesses<T>(work: (dbs: [Db, Db]) => Promise<T>): Promise<T> {
  const dbs: [Db, Db] = [connect(t.connection, 4), connect(t.connection, 4)];
  try {
    return await work(dbs);
  } finally {
    await Promise.all(dbs.map((db) => db.destroy()));
  }
}

describe("the first operator", () => {
  /* The order matters: each test continues from the previous test. */
  test("is `admin` with a generated password, made once by servers that start at once", async () => {
    expect(await hasOperator(t.db)).toBe(false);
    const made = await withTwoProcesses((dbs) =>
      Promise.all([...dbs, ...dbs, ...dbs].map((db) => ensureFirstOperator(db, null))),
    );
    const first = made.filter((one) => one !== null);
    expect(first).toHaveLength(1);
    expect(first[0]).toMatchObject({ name: "admin" });
    expect(first[0]?.password).toMatch(/^[A-Za-z2-9]{5}(-[A-Za-z2-9]{5}){4}$/);
    expect(await isPassword(first[0]?.password ?? "", await hashOf("admin"))).toBe(true);
    expect(await auditsOf(t.db, ["actor_kind", "actor", "action", "after"])).toEqual([
      {
        actor_kind: "system",
        actor: "start",
        action: "create_operator",
        after: { name: "admin", roles: ["admin"] },
      },
    ]);
  });

  test("is not made beside another one, even a disabled one", async () => {
    await changeRows(t.db, "operator", { name: "admin" }, { disabled: true });
    const configured = { username: "root-op", password: PASSWORD };
    expect(await ensureFirstOperator(t.db, configured)).toBeNull();
    // Once an operator exists, the configured values are not read.
    expect(await ensureFirstOperator(t.db, { username: "", password: "" })).toBeNull();
  });

  test("is one even when servers that start at once have different names configured", async () => {
    await t.db.deleteFrom("operator").execute();
    const made = await withTwoProcesses((dbs) =>
      Promise.all(
        [...dbs, ...dbs].map((db, at) =>
          ensureFirstOperator(db, { username: `first-${at}`, password: PASSWORD }),
        ),
      ),
    );
    expect(made.filter((one) => one !== null)).toHaveLength(1);
    expect(await t.db.selectFrom("operator").select("id").execute()).toHaveLength(1);
  });

  test("is the configured one, whose password is not shown", async () => {
    await t.db.deleteFrom("operator").execute();
    const configured = { username: "root-op", password: PASSWORD };
    expect(await ensureFirstOperator(t.db, configured)).toEqual({
      name: "root-op",
      password: null,
    });
    expect(await isPassword(PASSWORD, await hashOf("root-op"))).toBe(true);
  });
});

describe("making an operator", () => {
  test("hashes the password with argon2id at 19 MiB, two passes", async () => {
    await create({ name: "hashed", password: PASSWORD });
    expect((await operatorRow("hashed")).roles).toEqual(["admin"]);
    expect(await hashOf("hashed")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test.each([
    ["12", "3foldrasclfg", true],
    ["128", "x".repeat(128), true],
    ["12 of two code units each", "🧧".repeat(12), true],
    ["11", "12345678901", false],
    ["129", "x".repeat(129), false],
    ["11 of two code units each", "🧧".repeat(11), false],
  ])("takes a password of %s characters or refuses it", async (length, password, isTaken) => {
    const made = create({ name: `length-${length.replaceAll(" ", "-")}`, password });
    const msg = `a password has 12 to 128 characters, this one has ${Number.parseInt(length, 10)}`;
    const refusal = { key: "bad_input", data: { errors: [{ field: "password", msg }] } };
    await (isTaken
      ? expect(made).resolves.toMatchObject({ password: null })
      : expect(made).rejects.toMatchObject(refusal));
  });

  test.each([
    "1qaz-2WSX 3edc",
    "Easy to guess one",
    "my Red_Packet key",
    "redctl is my tool",
    "Hong Bao for all",
    "ｇｕｅｓｓ one two",
    "每天都发很多很多很多红包",
  ])("refuses a password that is easy to guess: %s", async (password) => {
    const made = create({ name: "guess-one", password });
    await expect(made).rejects.toMatchObject({ key: "password_easy" });
  });

  test("takes a password with a name of two letters, not of three", async () => {
    const make = (name: string) => create({ name, password: `my ${name} is a secret` });
    const refusal = { key: "password_easy", values: { name: "xyz" } };
    await expect(make("xyz")).rejects.toMatchObject(refusal);
    await expect(make("xy")).resolves.toEqual({ name: "xy", password: null });
  });

  test("generates of all letters and digits that do not look alike", () => {
    const lettersOf = (make: () => string) =>
      [...new Set(Array.from({ length: 200 }, make).join(""))].toSorted().join("");
    const small = "abcdefghjkmnpqrstuvwxyz";
    expect(lettersOf(newRecoveryCode)).toBe(`-${small}`);
    const all = `-23456789ABCDEFGHJKLMNPQRSTUVWXYZ${small.replace("j", "ij")}`;
    expect(lettersOf(generatePassword)).toBe(all);
  });

  test("lets 256 wait for their passwords to be compared", async () => {
    const tries = Array.from({ length: 260 }, () => isPassword(PASSWORD, "no hash"));
    const results = await Promise.allSettled(tries);
    const refusal = { reason: { key: "too_many_requests", values: { seconds: 5 } } };
    expect(results.slice(-2)).toMatchObject([refusal, refusal]);
    expect(results[257]).toMatchObject({ reason: { code: "InvalidArg" } });
  });

  test("keeps all of a long password", async () => {
    const password = "x".repeat(127);
    await create({ name: "long", password: `${password}y` });
    expect(await isPassword(`${password}y`, await hashOf("long"))).toBe(true);
    expect(await isPassword(`${password}z`, await hashOf("long"))).toBe(false);
  });

  test("refuses a name that differs only in case, even at the same moment", async () => {
    const make = (name: string) => create({ name, password: PASSWORD });
    const results = await Promise.allSettled(["Twin", "twin", "TWIN"].map(make));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(make("tWiN")).rejects.toMatchObject({
      key: "operator_name_taken",
      values: { name: "tWiN" },
    });
  });

  test.each(["", "   ", "line\nbreak", "аdmin", "x".repeat(129)])(
    "refuses the name %j",
    async (name) => {
      const made = create({ name, password: PASSWORD });
      const first = expect.not.stringMatching(/\p{Script=Han}/u);
      await expect(made).rejects.toMatchObject({ key: "bad_input", values: { first } });
    },
  );
});

describe("resetting an operator", () => {
  test("replaces the password and leaves the authenticator alone", async () => {
    await create({ name: "reset-password", password: PASSWORD });
    const bound = { totp_secret: Buffer.from("sealed"), totp_step: 5 };
    await changeRows(t.db, "operator", { name: "reset-password" }, bound);
    const easy = reset({ name: "reset-password", password: "Reset Password 22" });
    await expect(easy).rejects.toMatchObject({ key: "password_easy" });
    // A program may have the same name as an operator.
    const actor = { ...TEST_ACTOR, name: "reset-password" };
    const input = { name: " RESET-password ", password: null };
    const done = await inTransaction(t.db, (tx) => resetPassword(tx, actor, input));
    expect(done.name).toBe("reset-password");
    expect(await isPassword(PASSWORD, await hashOf("reset-password"))).toBe(false);
    expect(await isPassword(done.password ?? "", await hashOf("reset-password"))).toBe(true);
    expect(await operatorRow("reset-password")).toMatchObject(bound);
  });

  test("opens a new window of 24 hours for another authenticator", async () => {
    await create({ name: "reset-totp", password: PASSWORD });
    const bound = { totp_secret: Buffer.from("sealed"), totp_step: 5, bind_until: new Date(0) };
    await changeRows(t.db, "operator", { name: "reset-totp" }, bound);
    const [{ id }, other] = [await operatorRow("reset-totp"), await operatorRow("reset-password")];
    await inTransaction(t.db, async (tx) => {
      await insertRecoveryCodes(tx, id, [Buffer.alloc(32, 1)]);
      await insertRecoveryCodes(tx, other.id, [Buffer.alloc(32, 2)]);
      expect(await useRecoveryCode(tx, id, Buffer.alloc(32, 2))).toBe(false);
      await resetTotp(tx, TEST_ACTOR, { name: "reset-totp" });
    });
    const left = await Promise.all([id, other.id].map((one) => countRecoveryCodes(t.db, one)));
    expect(left).toEqual([0, 1]);
    expect(await operatorRow("reset-password")).toEqual(other);
    expect(await actsOn("reset-totp")).toEqual([
      expect.objectContaining({ action: "create_operator" }),
      {
        action: "reset_totp",
        before: { bound: true },
        after: { bound: false, sessions_ended: 0 },
      },
    ]);
    const row = await operatorRow("reset-totp");
    expect(row).toMatchObject({ totp_secret: null, totp_pending: null, totp_step: null });
    const hours = (row.bind_until.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  test.each([{ name: " nobody " }, { id: 0 }])(
    "answers whom it does not find: %j",
    async (named) => {
      const values = { name: Object.values(named)[0] };
      const refusal = { key: "operator_not_found", values };
      await expect(reset({ ...named, password: null })).rejects.toMatchObject(refusal);
    },
  );
});

describe("the last administrator", () => {
  const disable = (name: string) =>
    inTransaction(t.db, (tx) => setOperatorDisabled(tx, TEST_ACTOR, { name, disabled: true }));
  const give = (name: string, roles: string[], actor = TEST_ACTOR) =>
    inTransaction(t.db, (tx) => changeRoles(tx, actor, { name, roles }));

  test("can neither be disabled nor stripped, however many try at once", async () => {
    await changeRows(t.db, "operator", {}, { disabled: true });
    for (const name of ["last-a", "last-b", "last-c"]) {
      await create({ name, password: PASSWORD });
    }
    await changeRows(t.db, "operator", {}, { totp_secret: Buffer.from("sealed") });
    // This operator has no authenticator, so may never be able to sign in.
    await create({ name: "last-new", password: PASSWORD });
    const tries = [
      () => disable("last-a"),
      () => give("last-b", ["viewer"]),
      () => disable("last-c"),
      () => give("last-a", ["finance"]),
    ];
    const results = await Promise.allSettled(tries.map((act) => act()));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) {
      expect(one).toMatchObject({ reason: { key: "last_administrator" } });
    }
    const rows = await t.db.selectFrom("operator").select(["disabled", "roles"]).execute();
    const admins = rows.filter(({ disabled, roles }) => !disabled && roles.includes("admin"));
    expect(admins).toHaveLength(2);
  });

  test("goes when another can sign in as well, or when it could not administer", async () => {
    await changeRows(t.db, "operator", {}, { disabled: true });
    await create({ name: "new-a", password: PASSWORD });
    await create({ name: "new-b", password: PASSWORD });
    await disable("new-a");
    const refusal = { key: "last_administrator" };
    await expect(disable("new-b")).rejects.toMatchObject(refusal);
    await expect(give("new-b", ["viewer"])).rejects.toMatchObject(refusal);
    const roles = ["admin", "finance"];
    expect(await give("new-b", roles.toReversed())).toEqual({ name: "new-b", roles });
    await changeRows(t.db, "operator", { name: "new-b" }, { disabled: true });
    await disable("new-b");
    await give("new-b", ["viewer"]);
    const { id: operator_id } = await operatorRow("new-b");
    const session = { token_hash: Buffer.alloc(32), operator_id };
    const enable = async () =>
      await inTransaction(t.db, (tx) =>
        setOperatorDisabled(tx, TEST_ACTOR, { name: "new-b", disabled: false }),
      );
    await enable();
    await inTransaction(t.db, (tx) => insertSession(tx, session));
    expect(await enable()).toEqual({ name: "new-b", disabled: false, sessions_ended: 0 });
    expect(await disable("new-b")).toEqual({ name: "new-b", disabled: true, sessions_ended: 1 });
    const state = (disabled: boolean) => ({ disabled, sessions_ended: 0 });
    const [on, off] = [{ disabled: false }, { disabled: true }];
    expect((await actsOn("new-b")).slice(1)).toEqual([
      { action: "change_roles", before: { roles: ["admin"] }, after: { roles } },
      { action: "disable_operator", before: off, after: state(true) },
      { action: "change_roles", before: { roles }, after: { roles: ["viewer"] } },
      { action: "enable_operator", before: off, after: state(false) },
      { action: "enable_operator", before: on, after: state(false) },
      { action: "disable_operator", before: on, after: { disabled: true, sessions_ended: 1 } },
    ]);
  });

  test("roles are of the list, at least one, and not one's own", async () => {
    await create({ name: "own", password: PASSWORD, roles: ["support"] });
    const own = { ...TEST_ACTOR, kind: "operator", name: "own" } as const;
    await expect(give("own", ["admin"], own)).rejects.toMatchObject({ key: "own_account" });
    for (const unknown of ["", "boss"]) {
      const msg = `there is no role "${unknown}": give some of ${ROLE_NAMES.join(", ")}`;
      const refusal = { key: "bad_input", data: { errors: [{ field: "roles", msg }] } };
      const given = unknown === "" ? [] : ["viewer", unknown];
      await expect(give("own", given)).rejects.toMatchObject(refusal);
    }
    await give("own", ["viewer", "finance"]);
    expect((await operatorRow("own")).roles).toEqual(["finance", "viewer"]);
    const bare = changeRows(t.db, "operator", { name: "own" }, { roles: ["boss" as "admin"] });
    await expect(bare).rejects.toThrow("operator__roles");
  });
});
