/** Downloads by address, with a ticket, or with a token where the installation allows it (behaviour §9). */
import { setTimeout as sleep } from "node:timers/promises";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { buildApp } from "#app";
import { inTransaction } from "#platform/db/connection";
import type { Settings } from "#platform/handlers";
import { openWindow, ticketFor } from "#test/downloads";
import { makeOperator, makePlayer, makeRound } from "#test/factories";
import { auditsOf, changeRows } from "#test/rows";
import { TEST_SETTINGS, useTestApp } from "#test/test-app";
import { formBody } from "#test/upload";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { pino } from "pino";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tokenHash } from "./operator-auth.ts";
import { insertSession } from "./session-sql.ts";
import { insertTicket, useTicket } from "./ticket.ts";

const t = useTestDb();
const app = useTestApp(t);
const route = recordRoutes.exportFile;
const SPENT = { code: 403, msg: "下载链接已失效，请重新导出" };
let filters: { rounds_id: number };

beforeAll(async () => {
  const { rounds_id } = await makeRound(t.db);
  filters = { rounds_id };
});

async function appWith(settings: Settings, log = pino({ level: "silent" })) {
  return await buildApp({ ...app.deps, services: { ...app.services, settings }, log });
}

const expectFile = ({ headers }: { readonly headers: object }) =>
  expect(headers).toMatchObject({ "content-type": expect.stringContaining("sheet") });

describe("a ticket", () => {
  test("works once", async () => {
    const ticket = await ticketFor(app, route, filters);
    expectFile(await openWindow(app, route, filters, ticket));
    expect((await openWindow(app, route, filters, ticket)).json()).toMatchObject(SPENT);
  });

  test("is for its path and its filters only, in any order", async () => {
    const more = { award_name: "8", award_status: 1, format: "xlsx", user_name: "Anna" };
    const other = { ...more, ...filters };
    const ticket = await ticketFor(app, route, other);
    for (const [name, value] of Object.entries(other)) {
      const changed = { ...other, [name]: `${value}0` };
      expect((await openWindow(app, route, changed, ticket)).json()).toMatchObject(SPENT);
    }
    const elsewhere = { ...route, path: "/gred/api/prize/export" };
    expect((await openWindow(app, elsewhere, other, ticket)).json()).toMatchObject(SPENT);
    const turned = Object.fromEntries(Object.entries(other).toReversed());
    expectFile(await openWindow(app, route, turned, ticket));
  });

  test("expires after a minute", async () => {
    const ticket = await ticketFor(app, route, filters);
    const expires_at = sql<Date>`expires_at - interval '60 seconds'`;
    await changeRows(t.db, "ticket", {}, { expires_at });
    expect((await openWindow(app, route, filters, ticket)).json()).toMatchObject(SPENT);
    await inTransaction(t.db, async (tx) => {
      const [ticket_hash, target_hash] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
      const token_hash = tokenHash(app.token);
      const isUsed = async () => (await useTicket(tx, ticket_hash, target_hash)) !== null;
      await insertTicket(tx, { ticket_hash, target_hash, token_hash });
      await changeRows(tx, "ticket", { ticket_hash }, { expires_at });
      expect(await isUsed()).toBe(false);
      const later = { expires_at: sql<Date>`expires_at + interval '1 microsecond'` };
      await changeRows(tx, "ticket", { ticket_hash }, later);
      expect(await isUsed()).toBe(true);
    });
  });

  test("does without empty filters; of another address it keeps none", async () => {
    const ticket = await ticketFor(app, route, { ...filters, user_name: "" });
    expectFile(await openWindow(app, route, { ...filters, award_name: "" }, ticket));
    await ticketFor(app, { ...route, path: `${route.path}/more` }, { user_name: "Anna" });
    await ticketFor(app, { ...route, path: "/gred/api/record" }, { user_name: "Anna" });
    const { user_name } = await makePlayer(t.db, { user_name: "asked_for_7" });
    await ticketFor(app, { ...route, path: `/gred/api/${user_name}` }, {});
    const rows = await auditsOf(t.db, ["object_id", "after"], { action: "create_ticket" });
    expect(rows.slice(-3)).toEqual([
      { object_id: `${route.path}/more`, after: {} },
      { object_id: "/gred/api/record", after: {} },
      { object_id: expect.not.stringContaining(user_name), after: {} },
    ]);
  });

  test("is useless to another operator, and without its own operator's session", async () => {
    const other = "b".repeat(43);
    const operator_id = await makeOperator(t.db, "second-op");
    await inTransaction(t.db, (tx) =>
      insertSession(tx, { token_hash: tokenHash(other), operator_id }),
    );
    for (const headers of [{ cookie: `Admin-Token=${other}` }, { token: other }]) {
      const ticket = await ticketFor(app, route, filters);
      const answer = await openWindow(app, route, filters, ticket, headers);
      expect(answer.json()).toMatchObject(SPENT);
    }
    const ticket = await ticketFor(app, route, filters);
    const cookie = `Admin-Token=${app.token}`;
    expectFile(await openWindow(app, route, filters, ticket, { cookie }));

    const late = await ticketFor(app, route, filters);
    const end = { ended_at: new Date(), ended_by: "other" } as const;
    const mine = { token_hash: tokenHash(app.token) };
    await changeRows(t.db, "session", mine, end);
    expect((await openWindow(app, route, filters, late)).json()).toMatchObject({ code: 50012 });
    await changeRows(t.db, "session", mine, { ended_at: null, ended_by: null });
  });

  test("leaves an audit row; the download's address is in none", async () => {
    const ticket = await ticketFor(app, route, filters);
    const downloads = { object_type: "download" } as const;
    const row = (await auditsOf(t.db, ["actor", "object_id", "after"], downloads)).at(-1);
    expect(row).toMatchObject({
      actor: "root-op",
      object_id: route.path,
      after: { rounds_id: String(filters.rounds_id) },
    });
    expect(JSON.stringify(row)).not.toContain(ticket);
  });
});

describe("an access token in the address", () => {
  test("opens the download too, for clients of the older calls", async () => {
    expectFile(await openWindow(app, route, filters, app.token));
    expect((await openWindow(app, route, filters, "x")).json()).toMatchObject({ code: 50008 });
    expect((await openWindow(app, route, filters, "")).json()).toMatchObject({ code: 401 });
    const twice = await app.app.inject({ url: `${route.path}?token=${app.token}&token=x` });
    expect(twice.json()).toMatchObject({ code: 401 });
  });

  test("counts for an upload in its form, before one in its address", async () => {
    const upload = prizeRoutes.previewImport;
    const answerTo = async (fields: Record<string, string>, query: Record<string, string>) => {
      const form = await formBody({ bytes: "x", fields });
      const { method, path: url } = upload;
      return (await app.app.inject({ method, url, query, ...form })).json<{ code: number }>().code;
    };
    const token = { token: app.token };
    expect(await answerTo(token, {})).not.toBe(401);
    expect(await answerTo(token, { token: "x" })).not.toBe(50008);
  });

  test("is in no line of the log, however long the answer took; a fault is in one, and not in its answer", async () => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
    const told = await appWith(TEST_SETTINGS, log);
    onTestFinished(() => told.close());
    told.get("/slow", () => sleep(1_000));
    told.get("/broken", () => Promise.reject(new Error('inside\n{"level":30}')));
    await openWindow({ app: told }, route, filters, app.token);
    await openWindow({ app: told }, { ...route, path: "/slow" }, filters, app.token);
    const broken = await openWindow({ app: told }, { ...route, path: "/broken" }, {}, app.token);
    expect([broken.statusCode, broken.body]).toEqual([500, expect.not.stringContaining("inside")]);
    expect(lines.map((line) => (JSON.parse(line) as { msg?: string }).msg)).toEqual([
      "request",
      "slow request",
      "request failed",
      "request",
    ]);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ err: { message: 'inside\n{"level":30}' } });
    expect(lines.join("")).not.toContain(app.token);
  });

  test("is refused where the installation forbids it; a ticket still works", async () => {
    const strict = await appWith({ ...TEST_SETTINGS, tokenInAddress: false });
    onTestFinished(() => strict.close());
    const open = async (token: string) => await openWindow({ app: strict }, route, filters, token);
    expect((await open(app.token)).json()).toMatchObject(SPENT);
    const headers = { token: app.token };
    expectFile(await openWindow({ app: strict }, route, filters, app.token, headers));
    expectFile(await open(await ticketFor(app, route, filters)));
  });
});
