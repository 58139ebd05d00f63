/** What operators see of bets (spec §7; behaviour §11). */
import type { betRoutes } from "@red/contract/bet";
import { formatCents } from "@red/contract/money";
import { betSource, toBet } from "#db/bet";
import type { BetRow } from "#db/bet";
import { selectEventPage, selectEventTotals } from "#db/event-list";
import { readEventFilter } from "#http/event-filter";
import type { Handlers } from "#http/handlers";

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
