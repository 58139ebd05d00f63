/** Deposits or bets as a file (spec §7). */
import type { eventExportRoutes } from "@red/contract/event-export";
import { betSource, toBet } from "./bet-sql.ts";
import type { BetRow } from "./bet-sql.ts";
import type { Db } from "#platform/connection";
import { depositSource, toDeposit } from "./deposit-sql.ts";
import type { DepositRow } from "./deposit-sql.ts";
import { streamEvents } from "./event-list-sql.ts";
import type { EventFilter, EventSource } from "./event-list-sql.ts";
import { betTable, depositTable } from "./event-file.ts";
import { readEventFilter } from "./event-filter.ts";
import { tableDownload } from "#platform/download";
import type { Handlers } from "#platform/handlers";

/** What the filter finds, as it is on the wire; without a filter nothing can match. */
async function* shown<Row, Shown>(
  db: Db,
  source: EventSource,
  filter: EventFilter | null,
  show: (row: Row) => Shown,
): AsyncGenerator<Shown> {
  if (filter !== null) {
    for await (const row of streamEvents<Row>(db, source, filter)) {
      yield show(row);
    }
  }
}

export const eventExportHandlers: Handlers<typeof eventExportRoutes> = {
  async exportFile({ db, query, services }) {
    const { timeZone } = services.settings;
    const { kind, format, start_date, rounds_name, ...fields } = query;
    if (kind === "deposit") {
      const filter = await readEventFilter(db, { ...fields, start_date, rounds_name }, timeZone);
      const show = (row: DepositRow) => toDeposit(row, timeZone);
      const table = depositTable(shown(db, depositSource(fields), filter, show));
      return tableDownload(table.title, format, table);
    }
    // Of a bet's filters these two are taken out (spec §7).
    const filter = await readEventFilter(db, fields, timeZone);
    const show = (row: BetRow) => toBet(row, timeZone);
    const table = betTable(shown(db, betSource(fields), filter, show));
    return tableDownload(table.title, format, table);
  },
};
