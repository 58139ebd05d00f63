/** Every write leaves exactly one audit row, and so does every call that an operator may not make. */
import { readdirSync, readFileSync } from "node:fs";
import { auditRoutes } from "@red/contract/evidence/audit";
import { AUDIT_ACTS } from "@red/contract/evidence/audit-acts";
import { downloadWord, fieldWord } from "@red/contract/evidence/audit-words";
import { notPermitted } from "@red/contract/platform/permissions";
import { text } from "@red/contract/platform/texts";
import { hashOfAll } from "#test/contract-hash";
import { everyRoute, fieldsOf, isSigned } from "#test/contract-routes";
import { sendRaw } from "#test/contract-send";
import { makeWorld, openSession, powerlessToken } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { everyWrite, freshAddress, isTaken, sendWrite } from "#test/contract-writes";
import { makeOperator } from "#test/factories";
import { boundOperator } from "#test/operator-factory";
import { ROLE_CELLS, ROLE_LETTERS } from "#test/role-matrix";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import { beforeAll, beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

let world: World;
let powerless: string;

beforeAll(async () => {
  world = await makeWorld(t.db, a.services.secrets);
  powerless = await powerlessToken(t.db);
  await boundOperator(t.db, a.services.secrets, "bound-op", new Date(Date.now() - 600_000));
});

beforeEach(() => t.db.deleteFrom("stop_switch").execute());

async function lastAudit(): Promise<number> {
  const [row] = await t.sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_log`;
  return row?.id ?? 0;
}

const auditsSince = (id: number) =>
  t.db.selectFrom("audit_log").selectAll().where("id", ">", id).orderBy("id").execute();

test.each(everyWrite())(
  "$name leaves one row in the audit log, with actor, before and after",
  async (write) => {
    const { route, fixture } = write;
    const { trace } = fixture;
    const parts = await fixture.valid(world);
    const last = await lastAudit();
    const answer = await sendWrite(a, world, write, parts);
    expect(isTaken(write, answer), answer.body).toBe(true);
    const rows = await auditsSince(last);
    if ("none" in trace) {
      expect(rows, trace.none).toEqual([]);
      return;
    }
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row).toMatchObject({
      actor_kind: isSigned(route) ? "key" : "operator",
      actor: isSigned(route) ? a.key : "root-op",
      action: trace.action,
      object_type: trace.object_type,
      outcome: "done",
      request_id: answer.headers["x-request-id"],
    });
    expect(row?.address).not.toBeNull();
    const told = (["before", "after"] as const).filter((side) => row?.[side] !== null);
    expect(told).toEqual(trace.tells);
    expect(JSON.stringify(row?.before)).not.toBe(JSON.stringify(row?.after ?? {}));
  },
);

/** Makes the database reject audit rows of changes. */
async function refuseAudits(): Promise<void> {
  await t.sql`create or replace function refuse_audit() returns trigger language plpgsql as $$
    begin raise exception 'no audit'; end $$`;
  await t.sql`create trigger refuse_audit before insert on audit_log for each row
    when (new.outcome = 'done') execute function refuse_audit()`;
}

/** Calls that still leave something behind, with a description. */
const LEAVING: Readonly<Record<string, string>> = {
  "POST /gred/api/logout": "the session that is opened for it",
  "POST /gred/api/reconciliation": "what was read of the statement, unfinished",
  "POST /gred/api/reconciliation/upload": "what was read of the statement, unfinished",
};

const audited = everyWrite().filter(({ fixture }) => !("none" in fixture.trace));

test.each(audited)(
  "$name does nothing when its row in the audit log cannot be written",
  async (write) => {
    const parts = await write.fixture.valid(world);
    await refuseAudits();
    try {
      const before = await hashOfAll(t.db, true);
      const answer = await sendWrite(a, world, write, parts);
      expect(isTaken(write, answer), answer.body).toBe(false);
      expect(answer.body).not.toContain("no audit");
      if (LEAVING[write.name] === undefined) {
        expect(await hashOfAll(t.db, true)).toBe(before);
      }
    } finally {
      await t.sql`drop trigger refuse_audit on audit_log`;
    }
  },
);

/** Returns a body of the right form with wrong content. */
async function emptyBody(access: string) {
  return access === "upload"
    ? await formBody({ bytes: "x" })
    : { payload: Buffer.from("{}"), headers: { "content-type": "application/json" } };
}

const operatorRoutes = everyRoute().flatMap(({ name, route }) =>
  route.auth.by === "operator" ? [{ name, route, permission: route.auth.permission }] : [],
);

type Called = (typeof operatorRoutes)[number];
async function callAs(headers: Record<string, string>, { route }: Called, isFileless = false) {
  const body = await emptyBody(isFileless ? "write" : route.access);
  return await sendRaw(a, {
    method: route.method,
    url: route.path.replaceAll(/\{\w+\}/g, "1"),
    headers: { ...body.headers, ...headers },
    payload: route.method === "GET" ? null : body.payload,
    // Wrong tokens are delayed by address, so each call uses a new address.
    address: freshAddress(),
  });
}

const guarded = operatorRoutes.flatMap(({ permission, ...one }) =>
  permission === "signed_in" ? [] : [{ ...one, permission }],
);

test("an operator without roles is refused every call but those, and each refusal is audited once", async () => {
  const last = await lastAudit();
  const before = await hashOfAll(t.db, true);
  const wanted: object[] = [];
  for (const one of guarded) {
    const { route, permission } = one;
    const answer = await callAs({ token: powerless }, one, true);
    const msg = text("not_permitted", "zh", notPermitted(permission).values);
    expect(answer.json(), one.name).toEqual({ code: 403, msg, data: null, key: "not_permitted" });
    wanted.push({
      actor_kind: "operator",
      actor: "powerless",
      action: "call",
      object_type: "permission",
      object_id: permission,
      after: { method: route.method, path: route.path },
      outcome: "refused",
      request_id: answer.headers["x-request-id"],
    });
  }
  expect(await auditsSince(last)).toMatchObject(wanted);
  expect(await hashOfAll(t.db, true)).toBe(before);
});

test("the matrix of roles has every operator call, once, and no GET writes", () => {
  const names = operatorRoutes.map(({ name }) => name);
  expect(ROLE_CELLS.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(everyWrite().filter(({ route }) => route.method === "GET")).toEqual([]);
});

test.each(Object.entries(ROLE_LETTERS))(
  "%s, %s, may call what the matrix says",
  async (letter, role) => {
    await makeOperator(t.db, `only-${role}`, { roles: [role] });
    for (const one of operatorRoutes) {
      // A logout ends the session, so each call gets a new session.
      const token = await openSession(t.db, `only-${role}`);
      const last = await lastAudit();
      const answer = await callAs({ token }, one);
      // A successful download returns a file and no JSON.
      const isRefused = /^{"code":403,.*"key":"not_permitted"}$/.test(answer.body);
      const may = ROLE_CELLS.find(({ name }) => name === one.name)?.letters.includes(letter);
      const rows = await auditsSince(last);
      const refusals = rows.filter(({ object_type }) => object_type === "permission").length;
      expect([one.name, isRefused, refusals]).toEqual([
        one.name,
        may !== true,
        may === true ? 0 : 1,
      ]);
    }
  },
);

test("every operator call needs a sign-in", async () => {
  const before = await hashOfAll(t.db, true);
  const refused = { code: 401, msg: "请先登录", data: null };
  for (const one of operatorRoutes) {
    const nobody = (await callAs({}, one)).json();
    expect(nobody, one.name).toEqual({ ...refused, key: "signed_out" });
    const unknown = (await callAs({ token: "x".repeat(43) }, one)).json();
    expect(unknown, one.name).toEqual({ ...refused, key: "token_unknown" });
  }
  expect(await hashOfAll(t.db, true)).toBe(before);
});

test("only those calls are for every signed-in operator that the matrix gives to all", () => {
  const open = operatorRoutes.filter(({ permission }) => permission === "signed_in");
  const free = ROLE_CELLS.filter(({ letters }) => letters.endsWith("+"));
  expect(open.map(({ name }) => name).toSorted()).toEqual(free.map(({ name }) => name).toSorted());
});

/** Returns the fields of a value that have no label, each with the field that contains it. */
function wordless(value: unknown, within: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => wordless(one, within));
  }
  return Object.entries(typeof value === "object" ? (value ?? {}) : {}).flatMap(([field, one]) => {
    const words = (["zh", "en"] as const).map(
      (language) => fieldWord(`${within} ${field}`, language) ?? fieldWord(field, language),
    );
    return [...(words.includes(null) ? [`${within} ${field}`] : []), ...wordless(one, field)];
  });
}

// Fields that the code writes out do not compile without a label. The fields checked here come from rows and calls.
test("every field has its words, and every download and filter", async () => {
  const rows = await t.db.selectFrom("audit_log").selectAll().execute();
  const fields = rows.flatMap(({ object_type: type, before, after }) =>
    [before, after].flatMap((side) => wordless(side, type)),
  );
  const downloads = everyRoute().filter(({ route }) => route.access === "download");
  const filters = downloads.flatMap(({ route }) =>
    fieldsOf(route.query).flatMap((name) => wordless({ [name]: null }, "download")),
  );
  expect([...new Set([...fields, ...filters])]).toEqual([]);
  const query = { object_type: "reconciliation" };
  const session = { token: await openSession(t.db, "only-admin") };
  const [{ after } = {}] = (await a.read(auditRoutes.list, { query }, session)).content;
  expect(after).toMatchObject({ from_at: "2024-03-01 00:00:00", to_at: "2024-04-01 00:00:00" });
  expect(downloads.filter(({ route }) => downloadWord(route.path, "zh") === null)).toEqual([]);
});

test("every action has one form of name, and its words", async () => {
  const rows = await t.db.selectFrom("audit_log").select("action").distinct().execute();
  expect(rows.length).toBeGreaterThan(20);
  const all = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const files = all.filter((name) => /(?<!test)\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8"));
  const named = sources.join().matchAll(/(?:\baction:|_ACTION =) "(\w+)"/g);
  const actions = [...rows.map(({ action }) => action), ...[...named].map(([, one = ""]) => one)];
  expect(actions.filter((action) => !/^[a-z]+(?:_[a-z]+)*$/.test(action))).toEqual([]);
  const known = AUDIT_ACTS.map(({ action }) => action);
  expect(actions.filter((action) => !known.includes(action))).toEqual([]);
});
