/** Uploads as a browser sends them. */
import { readFileSync } from "node:fs";
import type { Envelope } from "@red/contract/platform/envelope";
import type { Route } from "@red/contract/platform/route";
import { prizeRoutes } from "@red/contract/pools/prize";
import { workbookKind } from "#tables/parse-table";
import type { Db } from "#platform/db/connection";
import type { TestApp } from "#test/test-app";
import { clear } from "#test/test-db";
import type { TestDb } from "#test/test-db";
import { beforeEach } from "vitest";

/** LibreOffice saved these spreadsheets from prizes.fods. */
export function testFile(name: string): Buffer {
  return readFileSync(new URL(`./files/${name}`, import.meta.url));
}

export interface Form {
  readonly bytes: Buffer | string;
  /** By default `prizes` with the ending of the content. */
  readonly filename?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export async function formBody({ bytes, filename, fields = {} }: Form) {
  const kind = workbookKind(Buffer.from(bytes)) ?? "csv";
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value);
  }
  const file = new Blob([new Uint8Array(Buffer.from(bytes))]);
  form.append("poolFile", file, filename ?? `prizes.${kind}`);
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  return { payload: Buffer.from(await request.arrayBuffer()), headers: { "content-type": type } };
}

/** The token is a field of the form, as the specification's client sends it. */
export async function upload(a: TestApp, route: Route, form: Form): Promise<Envelope> {
  const fields = { token: a.token, ...form.fields };
  const body = await formBody({ ...form, fields });
  const response = await a.app.inject({ method: route.method, url: route.path, ...body });
  return response.json<Envelope>();
}

export async function importState(db: Db) {
  const rows = await db.selectFrom("prize").selectAll().orderBy("id").execute();
  const pools = await db.selectFrom("pool").selectAll().orderBy("id").execute();
  const versions = await db.selectFrom("pool_version").selectAll().orderBy("version").execute();
  const audits = await db.selectFrom("audit_log").select("id").execute();
  return { rows, pools, versions, audits };
}

/** The two calls of a prize file. The tables are emptied before each test. */
export function usePrizeImport(t: TestDb, a: TestApp) {
  beforeEach(() => clear(t.db, "prize", "pool_version", "pool", "audit_log"));
  const by = (route: Route) => async (bytes: Form["bytes"], fields?: Form["fields"]) =>
    await upload(a, route, { bytes, ...(fields && { fields }) });
  return { send: by(prizeRoutes.importFile), preview: by(prizeRoutes.previewImport) };
}
