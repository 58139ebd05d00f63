/** Look-up tables of spec §3, §4 and §9. Codes are literal; code-texts.ts contains the labels. */

/** Which kind of rows earns draws (`condition_name`). */
export const CONDITION_NAMES = { bet: "1", deposit: "2", no_limit: "0", whitelist: "3" } as const;
export type ConditionName = (typeof CONDITION_NAMES)[keyof typeof CONDITION_NAMES];

/** `condition_formula`: all rows together, or each row alone. */
export const CONDITION_FORMULAS = { cumulative: "1", single: "3" } as const;
export type ConditionFormula = (typeof CONDITION_FORMULAS)[keyof typeof CONDITION_FORMULAS];

/** `condition_type`: once, or each time the rows reach the value. */
export const CONDITION_TYPES = { once: "1", repeatable: "2" } as const;
export type ConditionType = (typeof CONDITION_TYPES)[keyof typeof CONDITION_TYPES];

/** `code` is "formula,type,name" as in the specification, or only the name. */
function preset<const K extends string>(
  key: K,
  condition_formula: ConditionFormula | "0",
  condition_type: ConditionType | "0",
  condition_name: ConditionName,
  value: string,
  times: number,
) {
  const isOpen = condition_formula === "0";
  const code = isOpen ? condition_name : `${condition_formula},${condition_type},${condition_name}`;
  return { key, code, condition_name, condition_formula, condition_type, value, times };
}

/** The ten condition presets of spec §9, in the order of the specification. */
export const PRESETS = [
  preset("cumulative_deposit_full", "1", "2", "2", "120", 1),
  preset("cumulative_deposit_reach", "1", "1", "2", "500", 3),
  preset("single_deposit_full", "3", "2", "2", "50", 1),
  preset("single_deposit_reach", "3", "1", "2", "200", 5),
  preset("cumulative_bet_full", "1", "2", "1", "120", 1),
  preset("cumulative_bet_reach", "1", "1", "1", "150", 3),
  preset("single_bet_full", "3", "2", "1", "50", 1),
  preset("single_bet_reach", "3", "1", "1", "200", 5),
  preset("no_limit", "0", "0", "0", "0", 1),
  preset("whitelist", "0", "0", "3", "0", 1),
];
export type Preset = (typeof PRESETS)[number];
export type PresetKey = Preset["key"];

/** Platform codes of a bet (`type` in the API). */
export const PLATFORM_CODES = [1234, 2234, 3234, 5234, 6234, 7234] as const;
export type PlatformCode = (typeof PLATFORM_CODES)[number];

/** The draw limits that a round may set for each player, with the names of their fields. */
export const DRAW_LIMITS = ["draws_max", "day_draws_max"] as const;
export type DrawLimit = (typeof DRAW_LIMITS)[number];

/** Single platforms (spec §3): the first digits of the platform codes. There is no platform 4. */
export const SINGLE_PLATFORM_CODES = [1, 2, 3, 5, 6, 7] as const;

/**
 * Task types (spec §3): 1 is a cumulative valid deposit, the others are a turnover on a platform. The spec
 * does not number the task types, so the numbers follow the order in the spec.
 */
export const TASK_TYPE_CODES = [1, 2, 3, 4, 5, 6] as const;

/** Deposit channels (spec §3). */
export const CHANNEL_CODES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Clients from which a player deposits: web, wap, app. */
export const CLIENT_CODES = [1, 2, 3] as const;

export const ROUND_PAUSED = 0;
export const ROUND_ACTIVE = 1;

/** Dispatch status of a record (spec §4): 0 sending, 1 success, 2 failed. */
export const AWARD_STATUS = { sending: 0, success: 1, failed: 2 } as const;
export type AwardStatus = (typeof AWARD_STATUS)[keyof typeof AWARD_STATUS];

/**
 * The payout state that a player sees. `processing` covers all states in which money may still arrive from the wallet.
 */
export const PLAYER_STATES = [
  "processing",
  "waiting_delivery",
  "paid",
  "delivered",
  "failed",
] as const;
export type PlayerState = (typeof PLAYER_STATES)[number];

interface StateFacts {
  readonly status: AwardStatus;
  readonly playerState: PlayerState;
  /** The player has the prize and the payout is finished. */
  readonly isDone: boolean;
  /** The player is still waiting for the prize. */
  readonly isOwed: boolean;
  /** The worker calls the wallet about this payout. */
  readonly isCalled: boolean;
  /** Money is on its way, or may be. */
  readonly isMoving: boolean;
  /** People deliver the prize; the wallet does not pay it. */
  readonly isPhysical: boolean;
}

const NOT_YET = { isDone: false, isOwed: true, isCalled: false, isMoving: false };
const SENDING = { ...NOT_YET, status: 0, isMoving: true, isPhysical: false } as const;
const CALLED = { ...SENDING, playerState: "processing", isCalled: true } as const;
const DONE = { ...NOT_YET, status: 1, isDone: true, isOwed: false } as const;
const FAILED = { ...NOT_YET, status: 2, playerState: "failed", isPhysical: false } as const;

/**
 * The states of a payout and their properties (behaviour §6). All sets of states come from this table, in SQL
 * too. Rollups identify a state by its position, so add a new state at the end.
 */
export const STATE_FACTS = {
  queued: CALLED,
  sending: CALLED,
  unknown: CALLED,
  check: { ...SENDING, playerState: "processing" },
  waiting_delivery: { ...NOT_YET, status: 0, playerState: "waiting_delivery", isPhysical: true },
  paid: { ...DONE, playerState: "paid", isPhysical: false },
  delivered: { ...DONE, playerState: "delivered", isPhysical: true },
  refused: FAILED,
  closed: { ...FAILED, isOwed: false },
} as const satisfies Record<string, StateFacts>;

export type PayoutState = keyof typeof STATE_FACTS;
export const PAYOUT_STATES = Object.keys(STATE_FACTS) as [PayoutState, ...PayoutState[]];

function byState<F>(fact: (facts: StateFacts) => F) {
  // Object.fromEntries loses the keys; every state is present.
  return Object.fromEntries(
    Object.entries(STATE_FACTS).map(([state, facts]) => [state, fact(facts)]),
  ) as Record<PayoutState, F>;
}

export const STATUS_OF_STATE = byState(({ status }) => status);
export const PLAYER_STATE_OF = byState(({ playerState }) => playerState);

/** The state of a payout before the payout became doubtful (behaviour §6). */
export type ContestedState = Extract<PayoutState, "refused" | "closed">;

/**
 * Why somebody has to check a payout (behaviour §6). `unanswered`: for a day nobody has known whether the wallet paid.
 * `past_retention`: the wallet no longer remembers the first attempt, so a retry could pay twice.
 */
export const CHECK_REASONS = ["unanswered", "past_retention"] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

/** Returns the states that have this property, in table order. */
export function statesThat(
  holds: (facts: StateFacts, state: PayoutState) => boolean,
): PayoutState[] {
  return PAYOUT_STATES.filter((state) => holds(STATE_FACTS[state], state));
}

/** Why a player is excluded from drawing (behaviour §3). */
export const EXCLUSION_KINDS = ["self", "cooling_off", "risk", "staff"] as const;
export type ExclusionKind = (typeof EXCLUSION_KINDS)[number];

/** While an exclusion of one of these kinds is active, the player's payouts are not sent (behaviour §6). */
export const HOLDING_KINDS = ["risk", "staff"] as const satisfies readonly ExclusionKind[];

export function holdsPayouts(kind: ExclusionKind): boolean {
  return HOLDING_KINDS.some((one) => one === kind);
}

/** State of an extra time: 0 unused, 1 used, 2 expired (spec §4). */
export const APPLY = { unused: 0, used: 1, expired: 2 } as const;

export const DEFAULT_TAG = "weekend";
