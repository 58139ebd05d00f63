/** The finder of the console (behaviour §11). */
import { formatDateTime } from "@red/contract/platform/datetime";
import { FOUND_MAX } from "@red/contract/records/find";
import type { findRoutes } from "@red/contract/records/find";
import type { Permission } from "@red/contract/platform/permissions";
import type { Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import {
  foundOrders,
  foundPlayers,
  foundPools,
  foundPrizes,
  foundRecords,
  foundRounds,
} from "./find-sql.ts";

export const findHandlers: Handlers<typeof findRoutes> = {
  async find({ db, body: { text }, operator, services }) {
    const { timeZone } = services.settings;
    const may = (permission: Permission) => operator?.permissions.includes(permission) === true;
    let more = false;
    interface Search<T> {
      execute(db: Db): Promise<{ readonly rows: T[] }>;
    }
    /** Returns the rows of one search, or no rows if the caller lacks the permission. */
    const found = async <T>(permission: Permission, search: Search<T>): Promise<T[]> => {
      const rows = may(permission) ? (await search.execute(db)).rows : [];
      more ||= rows.length > FOUND_MAX;
      return rows.slice(0, FOUND_MAX);
    };
    const [players, records, orders, rounds, pools, prizes] = await Promise.all([
      found("player.read", foundPlayers(text, may("account.see"))),
      found("record.read", foundRecords(text)),
      found("player.read", foundOrders(text)),
      found("activity.read", foundRounds(text)),
      found("pool.read", foundPools(text)),
      found("pool.read", foundPrizes(text)),
    ]);
    const orderRows = orders.map((row) => ({
      ...row,
      created_at: formatDateTime(row.created_at, timeZone),
    }));
    return { data: { players, records, orders: orderRows, rounds, pools, prizes, more } };
  },
};
