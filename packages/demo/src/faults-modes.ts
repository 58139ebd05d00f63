/** The ways in which the test wallet can go wrong, by name. */

/** What the caller gets to see, whatever was booked. */
export type Show =
  | "plain"
  | "refused"
  | "processing"
  | "hang"
  | "late"
  | "error_500"
  | "html"
  | "wrong_trans_sn"
  | "wrong_amount"
  | "drop"
  | "redirect"
  | "slow_body"
  | "truncated_json"
  | "empty_body"
  | "rate_limited"
  | "business_error";

interface Mode {
  /** Is the credit booked before the answer goes wrong? */
  readonly pays: boolean;
  readonly show: Show;
}

function mode(pays: boolean, show: Show): Mode {
  return { pays, show };
}

export const MODES = {
  pay: mode(true, "plain"),
  refuse: mode(false, "refused"),
  processing: mode(false, "processing"),
  hang: mode(false, "hang"),
  pay_then_hang: mode(true, "hang"),
  /** Pays and answers rightly, `seconds` later. */
  late: mode(true, "late"),
  error_500: mode(false, "error_500"),
  pay_then_500: mode(true, "error_500"),
  html_200: mode(false, "html"),
  pay_then_html: mode(true, "html"),
  wrong_trans_sn: mode(false, "wrong_trans_sn"),
  pay_then_wrong_trans_sn: mode(true, "wrong_trans_sn"),
  wrong_amount: mode(false, "wrong_amount"),
  pay_then_wrong_amount: mode(true, "wrong_amount"),
  drop: mode(false, "drop"),
  pay_then_drop: mode(true, "drop"),
  redirect: mode(false, "redirect"),
  pay_then_redirect: mode(true, "redirect"),
  /** An answer that comes one byte every `seconds`. */
  slow_body: mode(false, "slow_body"),
  pay_then_slow_body: mode(true, "slow_body"),
  truncated_json: mode(false, "truncated_json"),
  pay_then_truncated_json: mode(true, "truncated_json"),
  empty_body: mode(false, "empty_body"),
  pay_then_empty_body: mode(true, "empty_body"),
  rate_limited: mode(false, "rate_limited"),
  business_error: mode(false, "business_error"),
  /** Pays, drops the connection, and claims for `seconds` never to have paid. */
  not_found_for: mode(true, "drop"),
} as const satisfies Record<string, Mode>;

export type ModeName = keyof typeof MODES;

/** What `POST /control` sets; it holds until it is set again. */
export interface Control {
  readonly mode: ModeName;
  /** Only every n-th call goes wrong; the others are paid plainly. */
  readonly every: number;
  /** How many calls go wrong before the wallet is well again; null: all. */
  readonly times: number | null;
  /** Which calls go wrong. */
  readonly on: "pay" | "query" | "both";
  /** Why it refuses. */
  readonly reason: string;
  /** Of `late`, `slow_body`, `processing`, `not_found_for`, `rate_limited`. */
  readonly seconds: number;
  /** What `processing` becomes, and whether we tell or wait to be asked. */
  readonly settle: "paid" | "refused";
  readonly by: "callback" | "query";
  /** How often a later word is sent. */
  readonly callbacks: number;
}

export const WELL: Control = {
  mode: "pay",
  every: 1,
  times: null,
  on: "pay",
  reason: "account frozen",
  seconds: 1,
  settle: "paid",
  by: "callback",
  callbacks: 1,
};

const CHECKS: { readonly [K in keyof Control]: (value: unknown) => boolean } = {
  mode: (value) => typeof value === "string" && Object.hasOwn(MODES, value),
  every: (value) => Number.isInteger(value) && Number(value) >= 1,
  times: (value) => value === null || (Number.isInteger(value) && Number(value) >= 0),
  on: (value) => value === "pay" || value === "query" || value === "both",
  reason: (value) => typeof value === "string" && value !== "",
  seconds: (value) => typeof value === "number" && value >= 0,
  settle: (value) => value === "paid" || value === "refused",
  by: (value) => value === "callback" || value === "query",
  callbacks: (value) => Number.isInteger(value) && Number(value) >= 0,
};

/** The control in a request body; what is left out is as in WELL. A fault is told by its field. */
export function readControl(body: unknown): Control | { readonly wrong: string } {
  if (typeof body !== "object" || body === null || !("mode" in body)) {
    return { wrong: "mode" };
  }
  for (const [name, value] of Object.entries(body)) {
    const check = new Map(Object.entries(CHECKS)).get(name);
    if (check === undefined || !check(value)) {
      return { wrong: name };
    }
  }
  // Every field that is there was just checked.
  return { ...WELL, ...(body as Partial<Control>) };
}
