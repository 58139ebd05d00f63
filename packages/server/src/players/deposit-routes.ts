/** What operators see of deposits (spec §7; behaviour §11). */
import type { depositRoutes } from "@red/contract/deposit";
import { formatCents } from "@red/contract/money";
import { depositSource, toDeposit } from "./deposit-sql.ts";
import type { DepositRow } from "./deposit-sql.ts";
import { selectEventPage, selectEventTotals } from "./event-list-sql.ts";
import { readEventFilter } from "./event-filter.ts";
import type { Handlers } from "#platform/handlers";

export const depositHandlers: Handlers<typeof depositRoutes> = {
  async list({ db, body, services }) {
    const { timeZone } = services.settings;
    const filter = await readEventFilter(db, body, timeZone);
    if (filter === null) {
      return { data: { content: [], total: 0, depositTotal: formatCents(0) } };
    }
    const source = depositSource(body);
    const [rows, { total, amount_cents }] = await Promise.all([
      selectEventPage<DepositRow>(db, source, filter, body),
      selectEventTotals(db, source, filter),
    ]);
    const content = rows.map((row) => toDeposit(row, timeZone));
    return { data: { content, total, depositTotal: formatCents(amount_cents) } };
  },
};
