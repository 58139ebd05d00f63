/** Fetches the wallet's statement page by page (platform-api "Call out"). */
import { setTimeout as sleep } from "node:timers/promises";
import { parseRfc3339 } from "@red/contract/platform/datetime";
import { AppError } from "@red/contract/platform/errors";
import { UNPRINTABLE } from "@red/contract/platform/fields";
import { parseCents } from "@red/contract/platform/money";
import type { StatementEntry } from "./reconciliation-sql.ts";
import { createExchanger, parseJson, signedHeaders } from "#payouts/wallet-client";
import type { Exchanged, WalletAccess } from "#payouts/wallet-client";
import * as z from "zod/mini";

const PAGE_BYTES_MAX = 16 * 1024 * 1024;
const PAGE_DEADLINE_MS = 60_000;
/** Number of tries per page. One bad response must not make a statement of many pages fail. */
const TRIES = 3;
const PAUSE_MS = 500;
const PAGES_MAX = 100_000;

const statementPage = z.object({
  payouts: z.array(
    z.object({
      trans_sn: z.string(),
      amount: z.string(),
      player_id: z.string(),
      paid_at: z.string(),
      wallet_ref: z.optional(z.nullable(z.string())),
    }),
  ),
  next: z.optional(z.nullable(z.string())),
});
type Page = z.output<typeof statementPage>;

function entryOf(line: Page["payouts"][number]): StatementEntry {
  const amount_cents = parseCents(line.amount);
  const paid_at = parseRfc3339(line.paid_at);
  if (amount_cents === null || paid_at === null) {
    throw new AppError("statement_unreadable", { detail: `${line.trans_sn}: amount, paid_at` });
  }
  const { trans_sn, player_id, wallet_ref = null } = line;
  if ([trans_sn, player_id, wallet_ref ?? ""].some((text) => UNPRINTABLE.test(text))) {
    throw new AppError("statement_unreadable", { detail: "characters that are not allowed" });
  }
  return { trans_sn, amount_cents, player_id, paid_at, wallet_ref };
}

/**
 * A page, or the reason why there is no page. If `isOffered` is false, the wallet offers no statement and a
 * retry is useless.
 */
type HeardPage = { readonly page: Page } | { readonly detail: string; readonly isOffered: boolean };

function pageOf(exchanged: Exchanged): HeardPage {
  if ("missing" in exchanged) {
    return { detail: exchanged.missing, isOffered: true };
  }
  if (exchanged.status !== 200) {
    return { detail: `status ${exchanged.status}`, isOffered: exchanged.status !== 404 };
  }
  const { data: page } = statementPage.safeParse(parseJson(exchanged.body));
  return page === undefined ? { detail: "not a statement", isOffered: true } : { page };
}

async function ask(
  access: WalletAccess,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<HeardPage> {
  const url = new URL(`${access.url}/payouts?${query.toString()}`);
  const headers = signedHeaders(access, "GET", url, "");
  const exchanger = createExchanger(PAGE_DEADLINE_MS, PAGE_BYTES_MAX);
  try {
    const request = { method: "GET", url, headers, body: "" } as const;
    return await exchanger.exchange(request, signal, (exchanged) => {
      const value = pageOf(exchanged);
      return { value, isSound: "page" in value };
    });
  } finally {
    exchanger.close();
  }
}

/**
 * Yields the entries with `from_at` ≤ paid_at < `to_at`. Throws `statement_not_offered` if the wallet has
 * no statement, and `statement_unreadable` if a page is missing or invalid.
 */
export async function* walletStatement(
  wallet: WalletAccess,
  { from_at, to_at }: { readonly from_at: Date; readonly to_at: Date },
  signal: AbortSignal,
): AsyncGenerator<readonly StatementEntry[]> {
  let cursor: string | null = null;
  for (let number = 1; number <= PAGES_MAX; number += 1) {
    const query = new URLSearchParams({ from: from_at.toISOString(), to: to_at.toISOString() });
    if (cursor !== null) {
      query.set("cursor", cursor);
    }
    let heard = await ask(wallet, query, signal);
    for (let tried = 1; "detail" in heard && heard.isOffered && tried < TRIES; tried += 1) {
      await sleep(PAUSE_MS * tried, undefined, { signal });
      heard = await ask(wallet, query, signal);
    }
    if ("detail" in heard) {
      const isNone = !heard.isOffered && number === 1;
      throw isNone
        ? new AppError("statement_not_offered")
        : new AppError("statement_unreadable", { detail: heard.detail });
    }
    yield heard.page.payouts.map(entryOf);
    const next: string | null = heard.page.next ?? null;
    if (next === null) {
      return;
    }
    if (next === cursor) {
      throw new AppError("statement_unreadable", { detail: "next repeats itself" });
    }
    cursor = next;
  }
  throw new AppError("statement_unreadable", { detail: `more than ${PAGES_MAX} pages` });
}
