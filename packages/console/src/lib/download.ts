/**
 * Downloads: the browser fetches the file itself, with a ticket in the address instead of a token
 * (spec §7, behaviour §9).
 */
import { faultsOf } from "@red/contract/faults";
import { FIELD_LABELS } from "@red/contract/field-labels";
import { fillPath } from "@red/contract/route";
import type { Input, Route } from "@red/contract/route";
import { ticketRoutes } from "@red/contract/ticket";
import type * as z from "zod/mini";
import { addressOf, call, queryString, settled, withoutNulls } from "./api.ts";
import { currentLanguage } from "./language.ts";
import { notify } from "./notices.ts";

type DownloadRoute = Route<
  z.ZodMiniType | undefined,
  z.ZodMiniType,
  undefined,
  z.ZodMiniType,
  "download"
>;

/** Fills the placeholders of a path that has any. */
type PathParams = Readonly<Record<string, string | number>>;

/** What the address says: texts, without what is not asked for. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(withoutNulls(query)).flatMap(([name, value]) =>
      value === "" ? [] : [[name, String(value)]],
    ),
  );
}

/**
 * Follows a link that nobody sees. A new window, as the specification has it, closes itself once the
 * file comes; it is opened only while the operator's click still counts, since a browser blocks it
 * afterwards. A file does not replace the page, so that this one can take it then.
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
 * Has the browser download what a route answers. False when it was refused: the first fault, or what
 * the server said, has been shown.
 */
export async function downloadFile<R extends DownloadRoute>(
  route: R,
  query: Input<R>["query"],
  params: PathParams = {},
): Promise<boolean> {
  const path = fillPath(route.path, params);
  const checked = route.query.safeParse(query);
  if (!checked.success) {
    const language = currentLanguage();
    const [first] = faultsOf(checked.error.issues, language, FIELD_LABELS[language]);
    notify({ kind: "error", text: first.msg });
    return false;
  }
  // The query of a route is an object; its schema has just said so.
  const texts = textsOf(query as Readonly<Record<string, unknown>>);
  const body = { path, query: texts };
  const made = await settled(call(ticketRoutes.create, { body }));
  if (!made.ok) {
    return false;
  }
  const address = await addressOf(path);
  open(`${address}${queryString({ ...texts, token: made.data.ticket })}`);
  return true;
}
