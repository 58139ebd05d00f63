/** What a handler receives and answers; typed by the contract's route value. */
import type { Readable } from "node:stream";
import type { Answer, Received, Route } from "@red/contract/route";
import type { Permission, Role } from "@red/contract/permissions";
import type { Language } from "@red/contract/texts";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import type { TextKey } from "@red/contract/texts-zh";
import type { SecretBox } from "./secret-box.ts";
import type { Settings } from "./settings.ts";
import type { Actor } from "./audit.ts";
import type { Db, Tx } from "./connection.ts";
import type { EventSource } from "./event-stream.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

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
  /** A second person has approved the call: no code is asked for again. */
  readonly isApproved?: boolean;
}

interface CallBase extends Caller {
  /** Opens the transaction of a call whose route does not, through the gate (approvals/gate.ts). */
  readonly write: <O>(change: (tx: Tx) => Promise<O>) => Promise<O | Refused>;
  readonly services: Services;
  readonly language: Language;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type ReadCall<R extends Route> = Received<R> & CallBase & { readonly db: Db };
export type WriteCall<R extends Route> = Received<R> & CallBase & { readonly tx: Tx };

/** A refusal without data, which commits what it wrote, such as the count of a wrong code. */
export type Refused = Outcome<null> & { readonly code: number };

/** `data` of the answer; the message is "success" unless named. */
export interface Outcome<D> {
  readonly data: D;
  readonly msg?: TextKey;
  /** `code` of the envelope when it is not 200. */
  readonly code?: number;
  /** The call was refused, but what it wrote is committed: answered with this error's code and key. */
  readonly refused?: ErrorKey;
  /** HTTP status of a platform call when it is not 200. */
  readonly status?: number;
}

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

type Call<R extends Route> = R["access"] extends "write"
  ? WriteCall<R>
  : R["access"] extends "upload"
    ? UploadCall<R>
    : ReadCall<R>;

export type Handler<R extends Route> = R["access"] extends "download"
  ? (call: Call<R>) => Promise<Download>
  : R["access"] extends "stream"
    ? (call: Call<R>) => Promise<EventSource>
    : (call: Call<R>) => Promise<Outcome<Answer<R>> | Refused>;

export function signedIn(operator: Operator | null): Operator {
  if (operator === null) {
    throw new AppError("signed_out");
  }
  return operator;
}

/** One handler for every route of a noun: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof T]: Handler<T[K]>;
};
