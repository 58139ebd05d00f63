/** Types of what a handler receives and returns. The contract's routes define them. */
import type { Readable } from "node:stream";
import type { Answer, Received, Route } from "@red/contract/platform/route";
import type { StockShown } from "@red/contract/draws/player-page";
import type { Permission, Role } from "@red/contract/platform/permissions";
import { text } from "@red/contract/platform/texts";
import type { Language, TextKey } from "@red/contract/platform/texts";
import { badInput, found } from "@red/contract/platform/errors";
import type { Risk } from "@red/engine/risk";
import type { ErrorKey } from "@red/contract/platform/errors";
import type { SecretBox } from "./secret-box.ts";
import type { Actor } from "./audit.ts";
import type { Db, Tx } from "#platform/db/connection";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface EventSink {
  send(event: string, json: string): void;
  /** Ends the stream. The last event contains the error. */
  end(fault: unknown): void;
}

/** Starts sending and returns the function that stops it. */
export type EventSource = (sink: EventSink) => () => void;

/** Settings of this installation. Rules and handlers read settings here, never from the environment. */
export interface Settings {
  /** Business time zone, IANA name. */
  readonly timeZone: string;
  /** Initial value of the in-site message code in the activity form. */
  readonly redCodeDefault: string;
  /** True if the database contains demo data. */
  readonly demo: boolean;
  /** Where payouts go. With `none` they stay in the queue (behaviour §6). */
  readonly wallet: "none" | "demo" | "configured";
  /** Number of days for which the wallet is trusted to remember a `trans_sn` (behaviour §6). */
  readonly walletRetentionDays: number;
  readonly prizeStockShown: StockShown;
  /** True if the address of a download may contain an access token, as older clients send it. */
  readonly tokenInAddress: boolean;
}

export interface Services {
  readonly settings: Settings;
  readonly secrets: SecretBox;
}

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly permissions: readonly Permission[];
  /** Hash of the access token. It identifies the session. */
  readonly token_hash: Buffer;
  /** True if the console's cookie identified the operator. A program sends a token or a ticket instead. */
  readonly by_console: boolean;
}

export interface Caller {
  readonly operator: Operator | null;
  readonly actor: Actor;
  /** True if a second person has approved the call and it runs now. */
  readonly isApproved?: boolean;
}

interface CallBase<R extends Route> extends Caller {
  /** The one-time code as typed, or empty. */
  readonly code: string;
  /**
   * Opens a transaction for a change if its route opens none, and runs the change through `approvals/run-change.ts`.
   */
  readonly write: (act: (tx: Tx) => Promise<Outcome<R>>) => Promise<Proved<R>>;
  readonly services: Services;
  readonly language: Language;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type ReadCall<R extends Route> = Received<R> & CallBase<R> & { readonly db: Db };
export type WriteCall<R extends Route> = Received<R> & CallBase<R> & { readonly tx: Tx };

export interface Costed<D> {
  readonly data: D;
  readonly risk: Risk;
}

/** A successful result. The message is "success" unless `msg` is set. */
export interface Done<D> {
  readonly data: D;
  readonly msg?: TextKey;
  /** Code of the envelope if it is not 200. Sign-in uses this. */
  readonly code?: number;
  /** HTTP status of a platform call if it is not 200. */
  readonly status?: number;
}

/** Rejects the call with the code and key of this error, but commits its writes. */
export interface Refused<D> {
  readonly refused: ErrorKey;
  readonly msg: TextKey;
  readonly data: D | null;
}

/** Nothing was done, because the one-time code is missing or wrong. Wrong codes are counted. */
export interface Needs {
  readonly needs: CodeFault;
}

/** Nothing was done yet: the change waits for a second person. */
export interface Waits {
  readonly waits: number;
}

/** The result of a change in the form that its caller receives. */
export type Answered<D = unknown> = Done<D> | Refused<D> | Needs | Waits;

/** The result of an action. The result includes a risk if the route takes a proof. */
export type Outcome<R extends Route> = R["proof"] extends null
  ? Done<Answer<R>>
  : R["proof"] extends { readonly none: string } | "first"
    ? Done<Answer<R>> | Refused<Answer<R>> | Needs
    : (Done<Answer<R>> & Costed<Answer<R>>) | Refused<Answer<R>>;

declare const PROVED: unique symbol;

/** Only `write` can return this type, so a handler cannot bypass `write`. */
export type Proved<R extends Route> = (Outcome<R> | Waits) & { readonly [PROVED]: true };

export type AnyOutcome = (Done<unknown> & { readonly risk?: Risk }) | Refused<unknown> | Needs;

export interface Download {
  readonly filename: string;
  readonly type: string;
  readonly content: Readable;
  /** Number of table rows read so far. */
  readonly rows?: () => number;
}

export interface UploadedFile {
  readonly filename: string;
  readonly bytes: Buffer;
}

export type UploadCall<R extends Route> = ReadCall<R> & {
  readonly file: UploadedFile;
  readonly fields: Readonly<Record<string, string>>;
};

export type CodeFault =
  | "code_needed"
  | "code_wrong"
  | "recovery_wrong"
  | "code_used"
  | "code_of_authenticator";

/** A route that opens its own transaction and takes a proof must open the transaction with `write`. */
type Handled<R extends Route> = R["access"] extends "own" | "upload"
  ? R["proof"] extends string
    ? Proved<R>
    : Outcome<R> | Waits
  : Outcome<R>;

type Call<R extends Route> = R["access"] extends "write"
  ? WriteCall<R>
  : R["access"] extends "upload"
    ? UploadCall<R>
    : ReadCall<R>;

export type Handler<R extends Route> = R["access"] extends "download"
  ? (call: Call<R>) => Promise<Download>
  : R["access"] extends "stream"
    ? (call: Call<R>) => Promise<EventSource>
    : (call: Call<R>) => Promise<Handled<R>>;

export function signedIn(operator: Operator | null): Operator {
  return found(operator, "signed_out");
}

/**
 * Throws bad_input with the field name if a value of `repeated` is set and differs from `id`. An id in the body must
 * equal the id in the address (behaviour §1, §11).
 */
export function requireSameId(
  id: number,
  repeated: Readonly<Record<string, number | undefined>>,
  language: Language,
): void {
  const wrong = Object.entries(repeated).find(([, sent]) => sent !== undefined && sent !== id);
  if (wrong !== undefined) {
    throw badInput([{ field: wrong[0], msg: text("id_differs", language) }]);
  }
}

/** One handler for every route of a resource. A missing handler does not compile. */
export type Handlers<T extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof T]: Handler<T[K]>;
};
