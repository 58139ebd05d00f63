/** Downloads from the application: the raw answer and the file's content. */
import type { Route } from "@red/contract/platform/route";
import { ticketRoutes } from "@red/contract/identity/ticket";
import * as XLSX from "@e965/xlsx";
import type { LightMyRequestResponse } from "fastify";
import type { TestApp } from "#test/test-app";

type Filters = Readonly<Record<string, string | number>>;

function texts(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
}

/** Makes a ticket as the operator of the application's token. */
export async function ticketFor(app: TestApp, route: Route, filters: Filters): Promise<string> {
  const body = { path: route.path, query: texts(filters) };
  const { data } = await app.call(ticketRoutes.create, { body });
  return (data as { ticket: string }).ticket;
}

/** Opens the address like a new window: token in the query, only the given headers. */
export async function openWindow(
  app: Pick<TestApp, "app">,
  route: Route,
  filters: Filters,
  token: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const query = { ...texts(filters), ...(token === "" ? {} : { token }) };
  return await app.app.inject({ method: "GET", url: route.path, query, headers });
}

/** Downloads with a fresh ticket. */
export async function download(app: TestApp, route: Route, filters: Filters) {
  return await openWindow(app, route, filters, await ticketFor(app, route, filters));
}

/** Reads dates as texts, and no formulas. */
type FileCell = string | number | null;

/** Cells of the first sheet of an xlsx or csv, row by row; empty ones are null. */
export function cellsOf(response: LightMyRequestResponse): FileCell[][] {
  const workbook = XLSX.read(response.rawPayload, { type: "buffer", raw: true });
  const sheet = workbook.Sheets[workbook.SheetNames[0] ?? ""];
  return sheet === undefined
    ? []
    : XLSX.utils.sheet_to_json<FileCell[]>(sheet, { header: 1, defval: null });
}
