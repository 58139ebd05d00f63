/** The list that each figure is the total of (contract/watch/watch.ts): its page, and the filter in its address. */
import { FIGURE_STATES } from "@red/contract/watch/watch";

export type Filter = Readonly<Record<string, string>>;
export type Source = readonly [page: string, filter: Filter];
export type Outcome = "drawn" | keyof typeof FIGURE_STATES;

export const SOURCES = {
  records: (outcome: Outcome, filter: Filter = {}): Source => {
    const states = outcome !== "drawn" && { payout_state: FIGURE_STATES[outcome].join() };
    return ["distribution", { ...filter, ...states }];
  },
  deposits: (start_time: string): Source => ["deposit_bet", { tab: "0", start_time }],
  bets: (start_time: string): Source => ["deposit_bet", { tab: "1", start_time }],
  breaks: (): Source => ["reconciliation", { open: "1" }],
  unsigned: (month: string): Source => ["month", { month }],
} as const;
