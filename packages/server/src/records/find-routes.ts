/** The console's finder (behaviour §11). */
import { formatDateTime } from "@red/contract/datetime";
import { FOUND_MAX } from "@red/contract/find";
import type { findRoutes } from "@red/contract/find";
import type { Permission } from "@red/contract/permissions";
import type { Handlers } from "#platform/handlers";
import {
  selectFoundOrders,
  selectFoundPlayers,
  selectFoundPools,
  selectFoundPrizes,
  selectFoundRecords,
  selectFoundRounds,
} from "./find-sql.ts";

export const findHandlers: Handlers<typeof findRoutes> = {
  async find({ db, body: { text }, operator, services }) {
    const { timeZone } = services.settings;
    let more = false;
    /** What one search finds, if the caller may read such rows. */
    const found = async <T>(permission: Permission, search: () => Promise<T[]>): Promise<T[]> => {
      const rows = operator?.permissions.includes(permission) === true ? await search() : [];
      more ||= rows.length > FOUND_MAX;
      return rows.slice(0, FOUND_MAX);
    };
    const [players, records, orders, rounds, pools, prizes] = await Promise.all([
      found("player.read", () => selectFoundPlayers(db, text)),
      found("record.read", () => selectFoundRecords(db, text)),
      found("player.read", () => selectFoundOrders(db, text)),
      found("activity.read", () => selectFoundRounds(db, text)),
      found("pool.read", () => selectFoundPools(db, text)),
      found("pool.read", () => selectFoundPrizes(db, text)),
    ]);
    const orderRows = orders.map((row) => ({
      ...row,
      created_at: formatDateTime(row.created_at, timeZone),
    }));
    return { data: { players, records, orders: orderRows, rounds, pools, prizes, more } };
  },
};
