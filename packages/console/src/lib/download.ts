/** Downloads files through the browser. The address contains a ticket instead of the token (spec §7, behaviour §9). */
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { EXPORT_AT_ONCE_MAX, jobRoutes } from "@red/contract/records/job";
import { fillPath } from "@red/contract/platform/route";
import type { Input, Route } from "@red/contract/platform/route";
import { ticketRoutes } from "@red/contract/identity/ticket";
import type * as z from "zod/mini";
import { addressOf, call, queryString, settled, withoutNulls } from "./api.ts";
import { currentLanguage } from "./language.ts";
import { notify } from "./notices.ts";
import { refresh } from "./query.ts";
import { loadSession } from "./session.ts";

type DownloadRoute = Route<
  z.ZodMiniType | undefined,
  z.ZodMiniType,
  undefined,
  z.ZodMiniType,
  "download"
>;

type PathParams = Readonly<Record<string, string | number>>;

/** Converts the query to texts and removes empty fields. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(withoutNulls(query)).flatMap(([name, value]) =>
      value === "" ? [] : [[name, String(value)]],
    ),
  );
}

/**
 * Clicks a hidden link. The specification wants a new window, which closes itself when the file arrives. Browsers block
 * a new window if the operator's click was too long ago. The link then opens in this window; a file download does not
 * replace the page.
 */
function open(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.hidden = true;
  if (navigator.userActivation?.isActive !== false) {
    link.target = "_blank";
    link.rel = "noreferrer";
  }
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Downloads the file of a route. If `rows` is above EXPORT_AT_ONCE_MAX, a job exports the list instead. Resolves to
 * false if the server rejects the request; the error has been shown.
 */
export async function downloadFile<R extends DownloadRoute>(
  route: R,
  query: Input<R>["query"],
  params: PathParams = {},
  rows = 0,
): Promise<boolean> {
  const path = fillPath(route.path, params);
  const checked = route.query.safeParse(query);
  if (!checked.success) {
    const language = currentLanguage();
    const [first] = faultsOf(checked.error.issues, language, FIELD_LABELS[language]);
    notify({ kind: "error", text: first.msg });
    return false;
  }
  // The schema has parsed the query, so the query is an object.
  const texts = textsOf(query as Readonly<Record<string, unknown>>);
  const body = { path, query: texts };
  const may = rows > EXPORT_AT_ONCE_MAX ? (await loadSession())?.permissions : undefined;
  if (may?.includes("record.read") === true && may.includes("player.read")) {
    const { ok } = await settled(call(jobRoutes.exportFile, { body }));
    await refresh(jobRoutes.list);
    return ok;
  }
  const made = await settled(call(ticketRoutes.create, { body }));
  if (!made.ok) {
    return false;
  }
  const address = await addressOf(path);
  open(`${address}${queryString({ ...texts, token: made.data.ticket })}`);
  return true;
}
