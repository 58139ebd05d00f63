/** Row types of the tables about systems outside, of jobs, views, settings and refusals; the others are in schema.ts. */
import type { JobKind, JobOutcome } from "@red/contract/job";
import type { WebhookState, WebhookType } from "@red/contract/webhook";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";

/** Written by the database's clock unless given. */
type Stamp = ColumnType<Date, Date | undefined, Date>;

export interface OutsideTables {
  saved_view: {
    id: Generated<number>;
    operator_id: number;
    page: string;
    view_name: string;
    search: string;
  };
  setting: {
    key: string;
    value: string;
    changed_by: string;
    changed_at: Stamp;
  };
  draw_refusal_minute: {
    rounds_id: number;
    minute: number;
    reason: string;
    count: number;
  };
  job: {
    id: GeneratedAlways<number>;
    operator_id: number;
    kind: JobKind;
    started_at: Stamp;
    ended_at: Date | null;
    seen_at: Date | null;
    path: string | null;
    query: JSONColumnType<Record<string, string> | null, string | null | undefined, string | null>;
    rows: Generated<number>;
    lease_until: Date | null;
    file_name: string | null;
    fault: string | null;
  };
  job_row: {
    job_id: number;
    log_id: number;
    outcome: JobOutcome | null;
    reason: string | null;
  };
  wallet_health: {
    wallet: string;
    kind: "pay" | "query";
    troubles: Generated<number>;
    trouble_since: Date | null;
    last_answer: string | null;
    next_try_at: Date | null;
    tries: Generated<number>;
    paused_until: Date | null;
    used_at: Stamp;
  };
  wallet_pace: {
    wallet: string;
    slot_ms: number;
  };
  webhook: {
    is_only: Generated<boolean>;
    url: string;
    secret: Buffer;
    created_at: Stamp;
    failing_since: Date | null;
    next_try_at: Date | null;
    last_answer: string | null;
  };
  webhook_message: {
    id: GeneratedAlways<number>;
    message_id: Generated<string>;
    type: WebhookType;
    subject: string;
    data: JSONColumnType<object>;
    created_at: Stamp;
    state: Generated<WebhookState>;
    is_asked_for: Generated<boolean>;
    waits_since: Stamp;
    due_at: Stamp;
    lease_until: Date | null;
    attempts: Generated<number>;
    answer: string | null;
    ended_at: Date | null;
  };
}
