/**
 * Row types of the tables of operators, keys, the audit log, other systems, jobs, views, settings and refusals.
 * schema.ts has the other tables.
 */
import type { Approval, ApprovalState } from "@red/contract/approvals/approval";
import type { JobKind, JobOutcome } from "@red/contract/records/job";
import type { Role, Scope } from "@red/contract/platform/permissions";
import type { WebhookState, WebhookType } from "@red/contract/webhooks/webhook";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";

/** The database's clock sets this time if no value is given. */
type Stamp = ColumnType<Date, Date | undefined, Date>;

interface ApprovalInput {
  readonly params: object;
  readonly body: object;
  readonly fields: Readonly<Record<string, string>>;
  /** File name of the upload, or null. */
  readonly filename: string | null;
}

export interface OtherTables {
  operator: {
    id: GeneratedAlways<number>;
    name: string;
    name_key: GeneratedAlways<string>;
    password_hash: string;
    roles: Generated<Role[]>;
    totp_secret: Buffer | null;
    totp_pending: Buffer | null;
    bind_until: Date;
    totp_step: number | null;
    disabled: Generated<boolean>;
    created_at: Stamp;
  };
  login_failure: {
    name_key: string;
    address: string;
    failed_at: Stamp;
  };
  session: {
    id: GeneratedAlways<number>;
    token_hash: Buffer;
    operator_id: number;
    created_at: Stamp;
    seen_at: Stamp;
    ended_at: Date | null;
    ended_by: "logout" | "other" | "expiry" | null;
    address: string | null;
  };
  ticket: {
    ticket_hash: Buffer;
    token_hash: Buffer;
    target_hash: Buffer;
    expires_at: Date;
    used_at: Date | null;
  };
  nonce: {
    nonce_hash: Buffer;
    at: Stamp;
  };
  recovery_code: {
    operator_id: number;
    code_hash: Buffer;
    used_at: Date | null;
  };
  api_key: {
    key: string;
    name: string;
    secret: Buffer;
    scopes: Scope[];
    created_at: Stamp;
    revoked_at: Date | null;
    used_at: Date | null;
    next_secret: Buffer | null;
    rotated_at: Date | null;
  };
  audit_log: {
    id: number;
    at: Stamp;
    actor_kind: "operator" | "key" | "redctl" | "system";
    actor: string;
    action: string;
    object_type: string;
    object_id: string | null;
    outcome: Generated<"done" | "refused">;
    before: JSONColumnType<object | null, string | null | undefined, string | null>;
    after: JSONColumnType<object | null, string | null | undefined, string | null>;
    request_id: string | null;
    address: string | null;
    reason: string | null;
    /** Null after a player named in the row is erased. */
    salt: Generated<string | null>;
    /** Represents object, values and reason in the seal, without the salt that it was computed with. */
    commitment: Buffer | null;
    /**
     * True if the row names players only by references. Such a row is sealed with the references and never rewritten.
     */
    by_key: Generated<boolean>;
  };
  audit_about: {
    object_type: string;
    object_id: string;
    audit_id: number;
  };
  approval: {
    id: GeneratedAlways<number>;
    call: string;
    input: JSONColumnType<ApprovalInput, string, string>;
    file: Buffer | null;
    maker_id: number | null;
    made_by: string;
    made_at: Stamp;
    expires_at: Date;
    reason: string;
    risk_cents: number;
    plan: JSONColumnType<Approval["plan"], string, string>;
    state: Generated<Exclude<ApprovalState, "expired">>;
    decided_by: string | null;
    decider_id: number | null;
    decided_at: Date | null;
    note: string | null;
  };
  risked: {
    id: GeneratedAlways<number>;
    operator_id: number | null;
    at: Stamp;
    cents: number;
    code_cents: number;
    coded: boolean;
    reasoned: boolean;
    approved: boolean;
  };
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
