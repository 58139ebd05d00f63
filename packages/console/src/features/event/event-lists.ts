import { betRoutes } from "@red/contract/bet";
import type { Bet } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import type { Deposit } from "@red/contract/deposit";
import { listQueryOf } from "#lib/query.ts";
import { useList } from "#ui/list-state.ts";
import { useBetColumns, useDepositColumns } from "#players/event-columns.tsx";
import { BET_FILTERS, BET_TAB, DEPOSIT_FILTERS, DEPOSIT_TAB, picked } from "./event-filter.ts";
import type { EventSearch } from "./event-filter.ts";

/** Only the list of the open tab is loaded. */
export function useEventLists(
  tab: string,
  search: EventSearch,
  paging: { page: number; size: number },
) {
  const deposits = useList({
    ...listQueryOf(depositRoutes.list, {
      body: { ...picked(search, DEPOSIT_FILTERS), ...paging },
    }),
    enabled: tab === DEPOSIT_TAB,
  });
  const bets = useList({
    ...listQueryOf(betRoutes.list, { body: { ...picked(search, BET_FILTERS), ...paging } }),
    enabled: tab === BET_TAB,
  });
  const columns = { deposit: useDepositColumns(), bet: useBetColumns() };
  return {
    deposit: {
      list: deposits,
      columns: columns.deposit,
      keyOf: ({ order_no }: Deposit) => order_no,
      nameOf: ({ user_name, order_no }: Deposit) => `${user_name} ${order_no}`,
    },
    bet: {
      list: bets,
      columns: columns.bet,
      keyOf: ({ bet_no }: Bet) => bet_no,
      nameOf: ({ user_name, bet_no }: Bet) => `${user_name} ${bet_no}`,
    },
  };
}

/** Totals of the open tab; a failed list shows 0 (spec §8). */
export function totalsOf({ deposit, bet }: ReturnType<typeof useEventLists>, tab: string) {
  return tab === BET_TAB
    ? {
        total: bet.list.data?.betlogTotal ?? "0.00",
        rows: bet.list.rows.map((row) => ({ amount: row.validBetAmount, counts: !row.voided })),
      }
    : {
        total: deposit.list.data?.depositTotal ?? "0.00",
        rows: deposit.list.rows.map((row) => ({ amount: row.amount, counts: !row.reversed })),
      };
}
