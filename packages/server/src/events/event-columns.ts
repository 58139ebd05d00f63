import { LATE_ARRIVAL_MS } from "@red/contract/events/event";
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * The columns of each kind by their meaning. `codes` are in the order of the codes in the rollups (rollup-rows.sql).
 */
export const EVENT_COLUMNS = {
  deposit: {
    no: "order_no",
    cents: "amount_cents",
    cancelled_at: "reversed_at",
    cancel_reason: "reversal_reason",
    codes: ["channel", "client"],
  },
  bet: {
    no: "bet_no",
    cents: "valid_bet_cents",
    cancelled_at: "voided_at",
    cancel_reason: "void_reason",
    codes: ["platform"],
  },
} as const satisfies Record<EventKind, object>;

export type EventCode<K extends EventKind = EventKind> = (typeof EVENT_COLUMNS)[K]["codes"][number];

const CODES = [...EVENT_COLUMNS.deposit.codes, ...EVENT_COLUMNS.bet.codes] satisfies EventCode[];

type CodesOf<K extends EventKind> = Record<EventCode<K>, number> &
  Record<Exclude<EventCode, EventCode<K>>, null>;

/** A deposit or bet as read. Codes that the kind does not have are null. */
export type EventRow<K extends EventKind = EventKind> = K extends EventKind
  ? Readonly<CodesOf<K>> & {
      readonly id: number;
      readonly no: string;
      readonly amount_cents: number;
      readonly created_at: Date;
      /** The time when the row arrived here; null if the row is older than this column. */
      readonly received_at: Date | null;
      readonly cancelled_at: Date | null;
      readonly cancel_reason: string | null;
    }
  : never;

/** Returns the time of a row, its arrival, and whether it arrived late, in API form (behaviour §4). */
export function arrivalOf(
  { created_at, received_at }: Pick<EventRow, "created_at" | "received_at">,
  timeText: (instant: Date) => string,
) {
  return {
    created_at: timeText(created_at),
    received_at: received_at && timeText(received_at),
    is_late: received_at !== null && Number(received_at) - Number(created_at) >= LATE_ARRIVAL_MS,
  };
}

export function columnsOf(kind: EventKind) {
  const { no, cents, cancelled_at, cancel_reason, codes } = EVENT_COLUMNS[kind];
  return {
    no: sql.ref(no),
    cents: sql.ref(cents),
    cancelled_at: sql.ref(cancelled_at),
    cancel_reason: sql.ref(cancel_reason),
    codes: codes.map((code) => sql.ref(code)),
  };
}

export function rowColumns(kind: EventKind): RawBuilder<unknown> {
  const { no, cents, cancelled_at, cancel_reason } = columnsOf(kind);
  const own: readonly string[] = EVENT_COLUMNS[kind].codes;
  const codes = CODES.map((code) =>
    own.includes(code) ? sql`e.${sql.ref(code)}` : sql`null::smallint as ${sql.ref(code)}`,
  );
  return sql`e.id, e.${no} as no, e.${cents} as amount_cents, e.created_at, e.received_at,
    e.${cancelled_at} as cancelled_at, e.${cancel_reason} as cancel_reason, ${sql.join(codes)}`;
}
