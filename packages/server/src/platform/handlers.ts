/** What a handler receives and answers; typed by the contract's route value. */
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

/** Where a stream sends its events. */
export interface EventSink {
  send(event: string, json: string): void;
  /** Ends the stream with the refusal. */
  end(fault: unknown): void;
}

/** Starts to send; answers how to stop that. */
export type EventSource = (sink: EventSink) => () => void;

/** Settings of this installation that rules and handlers need; never read from the environment. */
export interface Settings {
  /** Business time zone, IANA name. */
  readonly timeZone: string;
  /** In-site message code that the activity form starts with. */
  readonly redCodeDefault: string;
  /** Does the database carry the demonstration mark? */
  readonly demo: boolean;
  /** Where payouts go; `none` leaves them in the queue (behaviour §6). */
  readonly wallet: "none" | "demo" | "configured";
  /** How long the wallet is trusted to remember a `trans_sn` (behaviour §6). */
  readonly walletRetentionDays: number;
  /** How platforms are told the stock of prizes. */
  readonly prizeStockShown: StockShown;
  /** May a download's address carry an access token, as clients of the older calls send it? */
  readonly tokenInAddress: boolean;
}

/** What every handler gets beside the database. */
export interface Services {
  readonly settings: Settings;
  readonly secrets: SecretBox;
}

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly permissions: readonly Permission[];
  /** Hash of the access token; identifies the session. */
  readonly token_hash: Buffer;
  /** By the console's cookie; false for a program, which sends a token or a ticket. */
  readonly by_console: boolean;
}

export interface Caller {
  /** Null unless an operator calls. */
  readonly operator: Operator | null;
  readonly actor: Actor;
  /** A second person has approved the call, which is run now. */
  readonly isApproved?: boolean;
}

interface CallBase<R extends Route> extends Caller {
  /** The one-time code as typed; empty if none came along. */
  readonly code: string;
  /** Opens the transaction of a change whose route does not, and runs it as `approvals/run-change.ts` says. */
  readonly write: (act: (tx: Tx) => Promise<Outcome<R>>) => Promise<Proved<R>>;
  readonly services: Services;
  readonly language: Language;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type ReadCall<R extends Route> = Received<R> & CallBase<R> & { readonly db: Db };
export type WriteCall<R extends Route> = Received<R> & CallBase<R> & { readonly tx: Tx };

/** What a change did, and what it may cost. */
export interface Costed<D> {
  readonly data: D;
  readonly risk: Risk;
}

/** `data` of the answer; the message is "success" unless named. */
export interface Done<D> {
  readonly data: D;
  readonly msg?: TextKey;
  /** `code` of the envelope when it is not 200: of a sign-in. */
  readonly code?: number;
  /** HTTP status of a platform call when it is not 200. */
  readonly status?: number;
}

/** The call was refused, but what it wrote is committed: answered with this error's code and key. */
export interface Refused<D> {
  readonly refused: ErrorKey;
  readonly msg: TextKey;
  /** Null, or what the call names. */
  readonly data: D | null;
}

/** Nothing was done: a one-time code is missing, or was wrong; a wrong one is counted. */
export interface Needs {
  readonly needs: CodeFault;
}

/** Nothing was done: the change waits for a second person. */
export interface Waits {
  readonly waits: number;
}

/** What a change came to, as its caller is answered. */
export type Answered<D = unknown> = Done<D> | Refused<D> | Needs | Waits;

/** What an act answers: where the route takes a proof, what it may cost too. */
export type Outcome<R extends Route> = R["proof"] extends null
  ? Done<Answer<R>>
  : R["proof"] extends { readonly none: string } | "first"
    ? Done<Answer<R>> | Refused<Answer<R>> | Needs
    : (Done<Answer<R>> & Costed<Answer<R>>) | Refused<Answer<R>>;

declare const PROVED: unique symbol;

/** What `write` answers; only it can. */
export type Proved<R extends Route> = (Outcome<R> | Waits) & { readonly [PROVED]: true };

/** The same without the types of a route. */
export type AnyOutcome = (Done<unknown> & { readonly risk?: Risk }) | Refused<unknown> | Needs;

export interface Download {
  readonly filename: string;
  readonly type: string;
  readonly content: Readable;
  /** Rows read so far, of a table. */
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

/** Why a change needs another code. */
export type CodeFault =
  | "code_needed"
  | "code_wrong"
  | "recovery_wrong"
  | "code_used"
  | "code_of_authenticator";

/** A route that opens its transaction itself, and takes a proof, opens it with `write`. */
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
 * The id that a body repeats must be the one of the address (behaviour §1, §11). Throws bad_input, naming the field, when a
 * value of `repeated` is set and differs from `id`.
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

/** One handler for every route of a noun: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof T]: Handler<T[K]>;
};
