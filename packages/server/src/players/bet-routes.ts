/** What operators see of bets (spec §7; behaviour §11). */
import type { betRoutes } from "@red/contract/bet";
import { formatCents } from "@red/contract/money";
import { betSource, toBet } from "./bet-sql.ts";
import type { BetRow } from "./bet-sql.ts";
import { selectEventPage, selectEventTotals } from "./event-list-sql.ts";
import { readEventFilter } from "./event-filter.ts";
import type { Handlers } from "#platform/handlers";

export const betHandlers: Handlers<typeof betRoutes> = {
  async list({ db, body, services }) {
    const { timeZone } = services.settings;
    const filter = await readEventFilter(db, body, timeZone);
    if (filter === null) {
      return { data: { content: [], total: 0, betlogTotal: formatCents(0) } };
    }
    const source = betSource(body);
    const [rows, { total, amount_cents }] = await Promise.all([
      selectEventPage<BetRow>(db, source, filter, body),
      selectEventTotals(db, source, filter),
    ]);
    const content = rows.map((row) => toBet(row, timeZone));
    return { data: { content, total, betlogTotal: formatCents(amount_cents) } };
  },
};
