import { AppError } from "@red/contract/platform/errors";
import { IDS_PER_CALL_MAX } from "@red/contract/platform/limits";
import { formatCents } from "@red/contract/platform/money";
import type { recordRoutes } from "@red/contract/records/record";
import { recordPayoutHandlers } from "#payouts/payout-routes";
import { selectIsActivity } from "#rounds/activity-sql";
import {
  exportedRecord,
  selectRecordPicks,
  selectRecords,
  countOf,
  selectStateSums,
  streamRecords,
  sumsByStatus,
  toRecord,
} from "./record-sql.ts";
import { readRecordFilter, statesOf } from "./record-filter.ts";
import { recordTable } from "./record-file.ts";
import { tableDownload } from "#platform/http/download";
import { maskedPages } from "#platform/mask";
import type { Handlers } from "#platform/handlers";

export const recordHandlers: Handlers<typeof recordRoutes> = {
  ...recordPayoutHandlers,

  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const whole = await readRecordFilter(db, { ...query, payout_state: undefined }, timeZone);
    const match = { ...whole, states: statesOf(query) };
    // Reads the totals once for both uses, because two reads would differ while draws run.
    const [rows, states] = await Promise.all([
      selectRecords(db, match, query),
      selectStateSums(db, whole),
    ]);
    const matching = states.filter(({ state }) => match.states?.includes(state) ?? true);
    return {
      data: {
        content: rows.map((row) => toRecord(row, timeZone)),
        total: countOf(matching),
        sums: sumsByStatus(matching).map(({ amount_cents, ...sum }) => ({
          ...sum,
          amount: formatCents(amount_cents),
        })),
        states: states.map(({ state, count, amount_cents }) => ({
          payout_state: state,
          count,
          amount: formatCents(amount_cents),
        })),
      },
    };
  },

  async ids({ db, query, services }) {
    const match = await readRecordFilter(db, query, services.settings.timeZone);
    const rows = await selectRecordPicks(db, match, IDS_PER_CALL_MAX);
    const content = rows.map(({ award_price_cents, state, ...row }) => ({
      ...row,
      award_price: formatCents(award_price_cents),
      payout_state: state,
    }));
    if (content.length < IDS_PER_CALL_MAX) {
      return { data: { content, total: content.length } };
    }
    // Only counting tells whether there are more. Records paid in between may no longer match the filter.
    const counted = countOf(await selectStateSums(db, match));
    return { data: { content, total: Math.max(counted, content.length) } };
  },

  async exportFile({ db, query, services, ...caller }) {
    const { format, ...filter } = query;
    if (!(await selectIsActivity(db, filter.rounds_id))) {
      throw new AppError("activity_not_found");
    }
    const { timeZone } = services.settings;
    const match = await readRecordFilter(db, filter, timeZone);
    const pages = maskedPages(streamRecords(db, match), exportedRecord, caller);
    const table = recordTable(pages, timeZone);
    return tableDownload(`${table.title}-${filter.rounds_id}`, format, table);
  },
};
