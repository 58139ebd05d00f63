/** Lists and files of deposits and bets for operators (spec §7; behaviour §11). */
import { bet } from "@red/contract/events/bet";
import type { betRoutes } from "@red/contract/events/bet";
import { deposit } from "@red/contract/events/deposit";
import type { depositRoutes } from "@red/contract/events/deposit";
import type { eventExportRoutes } from "@red/contract/events/event-export";
import type { EventKind } from "@red/contract/events/event";
import { formatCents } from "@red/contract/platform/money";
import type { Db } from "#platform/db/connection";
import {
  selectEventPage,
  selectEventTotals,
  streamEvents,
  toBet,
  toDeposit,
} from "./event-list-sql.ts";
import type { EventFilter, EventTimes, ListedEvent } from "./event-list-sql.ts";
import { betTable, depositTable } from "./event-file.ts";
import { readEventFilter } from "./event-filter.ts";
import type { EventFields } from "./event-filter.ts";
import { tableDownload } from "#platform/http/download";
import { maskedPages } from "#platform/mask";
import type { Handlers } from "#platform/handlers";

type Codes<K extends EventKind> = EventFilter<K>["codes"];

/** Returns a page and the totals of all matches. A null filter matches nothing. */
async function list<K extends EventKind>(
  db: Db,
  kind: K,
  fields: EventFields & { readonly page: number; readonly size: number },
  codes: Codes<K>,
  timeZone: string,
): Promise<{ rows: ListedEvent<K>[]; total: number; amount: string }> {
  const times = await readEventFilter(db, fields, timeZone);
  if (times === null) {
    return { rows: [], total: 0, amount: formatCents(0) };
  }
  const filter = { ...times, codes };
  const [rows, { total, amount_cents }] = await Promise.all([
    selectEventPage(db, kind, filter, fields),
    selectEventTotals(db, kind, filter),
  ]);
  return { rows, total, amount: formatCents(amount_cents) };
}

export const depositHandlers: Handlers<typeof depositRoutes> = {
  async list({ db, body, services }) {
    const { timeZone } = services.settings;
    const { channel, client } = body;
    const { rows, total, amount } = await list(db, "deposit", body, { channel, client }, timeZone);
    const content = rows.map((row) => toDeposit(row, timeZone));
    return { data: { content, total, depositTotal: amount } };
  },
};

export const betHandlers: Handlers<typeof betRoutes> = {
  async list({ db, body, services }) {
    const { timeZone } = services.settings;
    const { rows, total, amount } = await list(db, "bet", body, { platform: body.type }, timeZone);
    const content = rows.map((row) => toBet(row, timeZone));
    return { data: { content, total, betlogTotal: amount } };
  },
};

/** Yields all matches in API form. Null times match nothing. */
async function* shown<K extends EventKind, Shown>(
  db: Db,
  kind: K,
  times: EventTimes | null,
  codes: Codes<K>,
  show: (row: ListedEvent<K>) => Shown,
): AsyncGenerator<Shown[]> {
  if (times !== null) {
    for await (const rows of streamEvents(db, kind, { ...times, codes })) {
      yield rows.map(show);
    }
  }
}

export const eventExportHandlers: Handlers<typeof eventExportRoutes> = {
  async exportFile({ db, query, services, ...caller }) {
    const { timeZone } = services.settings;
    const { kind, format, start_date, rounds_name, channel, client, type, ...fields } = query;
    // Bets ignore the day and the name of a round (spec §7).
    const more = kind === "deposit" ? { start_date, rounds_name } : {};
    const times = await readEventFilter(db, { ...fields, ...more }, timeZone);
    const table =
      kind === "deposit"
        ? depositTable(
            maskedPages(
              shown(db, kind, times, { channel, client }, (row) => toDeposit(row, timeZone)),
              deposit,
              caller,
            ),
          )
        : betTable(
            maskedPages(
              shown(db, "bet", times, { platform: type }, (row) => toBet(row, timeZone)),
              bet,
              caller,
            ),
          );
    return tableDownload(table.title, format, table);
  },
};
