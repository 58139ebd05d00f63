import {
  changeRoles,
  createOperator,
  ensureFirstOperator,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "./change-operator.ts";
import { isPassword } from "./password.ts";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { hasOperator } from "./operator-sql.ts";
import { PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { changeRows, rowOf } from "#test/rows";
import { connect, useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();

const create = (input: Parameters<typeof createOperator>[2]) =>
  inTransaction(t.db, (tx) => createOperator(tx, TEST_ACTOR, input));
const reset = (input: Parameters<typeof resetPassword>[2]) =>
  inTransaction(t.db, (tx) => resetPassword(tx, TEST_ACTOR, input));

const operatorRow = (name: string) => rowOf(t.db, "operator", { name });
const hashOf = async (name: string) => (await operatorRow(name)).password_hash;

async function withTwoProcesses<T>(work: (dbs: [Db, Db]) => Promise<T>): Promise<T> {
  const dbs: [Db, Db] = [connect(t.connection, 4), connect(t.connection, 4)];
  try {
    return await work(dbs);
  } finally {
    await Promise.all(dbs.map((db) => db.destroy()));
  }
}

describe("the first operator", () => {
  /* The order matters: each test continues from the one before. */
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
    const audit = await t.db.selectFrom("audit_log").select(["actor_kind", "action"]).execute();
    expect(audit).toEqual([{ actor_kind: "system", action: "create_operator" }]);
  });

  test("is not made beside another one, even a disabled one", async () => {
    await changeRows(t.db, "operator", { name: "admin" }, { disabled: true });
    const configured = { username: "root-op", password: PASSWORD };
    expect(await ensureFirstOperator(t.db, configured)).toBeNull();
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
    const refusal = { key: "bad_input", data: { errors: [{ field: "password" }] } };
    await (isTaken
      ? expect(made).resolves.toMatchObject({ password: null })
      : expect(made).rejects.toMatchObject(refusal));
  });

  test.each([
    "1qaz-2WSX 3edc",
    "Easy to guess one",
    "my Red_Packet key",
    "每天都发很多很多很多红包",
  ])("refuses a password that is easy to guess: %s", async (password) => {
    const made = create({ name: "guess-one", password });
    await expect(made).rejects.toMatchObject({ key: "password_easy" });
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
    await expect(make("tWiN")).rejects.toMatchObject({ key: "operator_name_taken" });
  });

  test.each(["", "   ", "line\nbreak", "аdmin", "x".repeat(129)])(
    "refuses the name %j",
    async (name) => {
      const made = create({ name, password: PASSWORD });
      await expect(made).rejects.toMatchObject({ key: "bad_input" });
    },
  );
});

describe("resetting an operator", () => {
  test("replaces the password and leaves the authenticator alone", async () => {
    await create({ name: "reset-password", password: PASSWORD });
    const bound = { totp_secret: Buffer.from("sealed"), totp_step: 5 };
    await changeRows(t.db, "operator", { name: "reset-password" }, bound);
    const done = await reset({ name: "RESET-password", password: null });
    expect(await isPassword(PASSWORD, await hashOf("reset-password"))).toBe(false);
    expect(await isPassword(done.password ?? "", await hashOf("reset-password"))).toBe(true);
    expect(await operatorRow("reset-password")).toMatchObject(bound);
  });

  test("opens a new window of 24 hours for another authenticator", async () => {
    await create({ name: "reset-totp", password: PASSWORD });
    const bound = { totp_secret: Buffer.from("sealed"), totp_step: 5, bind_until: new Date(0) };
    await changeRows(t.db, "operator", { name: "reset-totp" }, bound);
    await inTransaction(t.db, (tx) => resetTotp(tx, TEST_ACTOR, { name: "reset-totp" }));
    const row = await operatorRow("reset-totp");
    expect(row).toMatchObject({ totp_secret: null, totp_pending: null, totp_step: null });
    const hours = (row.bind_until.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });
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
    // Who has bound no authenticator may never be able to sign in.
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

  test("roles are of the list, at least one, and not one's own", async () => {
    await create({ name: "own", password: PASSWORD, roles: ["support"] });
    const own = { ...TEST_ACTOR, kind: "operator", name: "own" } as const;
    await expect(give("own", ["admin"], own)).rejects.toMatchObject({ key: "own_account" });
    await expect(give("own", [])).rejects.toMatchObject({ key: "bad_input" });
    await expect(give("own", ["boss"])).rejects.toMatchObject({ key: "bad_input" });
    await give("own", ["viewer", "finance"]);
    expect((await operatorRow("own")).roles).toEqual(["finance", "viewer"]);
    const bare = changeRows(t.db, "operator", { name: "own" }, { roles: ["boss" as "admin"] });
    await expect(bare).rejects.toThrow("operator__roles");
  });
});
