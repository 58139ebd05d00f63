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

/** A handler of a stream sends its events here. */
export interface EventSink {
  send(event: string, json: string): void;
  /** Ends the stream with the refusal. */
  end(fault: unknown): void;
}

/** Starts sending; answers the function that stops it. */
export type EventSource = (sink: EventSink) => () => void;

/** Settings of this installation that rules and handlers need; never read from the environment. */
export interface Settings {
  /** Business time zone, IANA name. */
  readonly timeZone: string;
  /** In-site message code that the activity form starts with. */
  readonly redCodeDefault: string;
  /** Does the database hold a demonstration? */
  readonly demo: boolean;
  /** Where payouts go; `none` leaves them in the queue (behaviour §6). */
  readonly wallet: "none" | "demo" | "configured";
  /** How long the wallet is trusted to remember a `trans_sn` (behaviour §6). */
  readonly walletRetentionDays: number;
  /** In which form platforms see the stock of prizes. */
  readonly prizeStockShown: StockShown;
  /** May a download's address carry an access token, as clients of the older calls send it? */
  readonly tokenInAddress: boolean;
}

/** Every handler gets these beside the database. */
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
  /** Identified by the console's cookie; false for a program, which sends a token or a ticket. */
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
  /** The one-time code as typed; empty without one. */
  readonly code: string;
  /** Opens the transaction of a change whose route does not open one, and runs it by `approvals/run-change.ts`. */
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
  /** `code` of the envelope when it is not 200 (sign-in). */
  readonly code?: number;
  /** HTTP status of a platform call when it is not 200. */
  readonly status?: number;
}

/** The call is refused with this error's code and key, but its writes are committed. */
export interface Refused<D> {
  readonly refused: ErrorKey;
  readonly msg: TextKey;
  readonly data: D | null;
}

/** Nothing was done: the one-time code is missing or wrong; a wrong one is counted. */
export interface Needs {
  readonly needs: CodeFault;
}

/** Nothing was done: the change waits for a second person. */
export interface Waits {
  readonly waits: number;
}

/** The result of a change, as its caller is answered. */
export type Answered<D = unknown> = Done<D> | Refused<D> | Needs | Waits;

/** The result of an act; with its risk where the route takes a proof. */
export type Outcome<R extends Route> = R["proof"] extends null
  ? Done<Answer<R>>
  : R["proof"] extends { readonly none: string } | "first"
    ? Done<Answer<R>> | Refused<Answer<R>> | Needs
    : (Done<Answer<R>> & Costed<Answer<R>>) | Refused<Answer<R>>;

declare const PROVED: unique symbol;

/** Only `write` can answer this. */
export type Proved<R extends Route> = (Outcome<R> | Waits) & { readonly [PROVED]: true };

/** An outcome without the types of its route. */
export type AnyOutcome = (Done<unknown> & { readonly risk?: Risk }) | Refused<unknown> | Needs;

export interface Download {
  readonly filename: string;
  readonly type: string;
  readonly content: Readable;
  /** How many rows of the table were read so far. */
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
