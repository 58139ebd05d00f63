/** What the tests of the whole contract know of one call that writes. */
import type { Db } from "#platform/connection";
import type { Services } from "#platform/handlers";
import { each } from "#test/contract-cases";
import { whole } from "#test/contract-kinds-number";
import type { Expectation, Kind } from "#test/contract-cases";
import type { Stage } from "#test/contract-stage";
import type { TestApp } from "#test/test-app";
import type { Form } from "#test/upload";

/** What a call is made from: the database, what is in it, and what its secrets are sealed with. */
export interface World {
  readonly db: Db;
  readonly stage: Stage;
  readonly app: { readonly services: Pick<Services, "secrets"> };
}

/** A world with an application to send calls to. */
export interface AppWorld extends World {
  readonly app: TestApp;
}

/** The parts of a call as a client has them. */
export interface Parts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Instead of a body: one file and the fields beside it. */
  readonly form?: Form;
}

/** The one audit row that a write leaves, or why it leaves none. */
export type Trace =
  | {
      readonly action: string;
      readonly object_type: string;
      /** Which sides of the change it tells. */
      readonly tells: readonly ("before" | "after")[];
    }
  | { readonly none: string };

export interface Fixture {
  /** A call that must be taken; new names and new rows each time. */
  valid(world: World): Promise<Parts>;
  /** Its fields by name; the fields of a row where `rows` is given. */
  fields?(world: World): Readonly<Record<string, Kind>>;
  /** The parts of the address by name. */
  params?(world: World): Readonly<Record<string, Kind>>;
  /** The list of the body whose rows are judged one by one; a bad row does not refuse the call. */
  readonly rows?: string;
  /** An access token for each call, where the call ends its session. */
  token?(world: World): Promise<string>;
  /** What is stored of a call that was taken, by field, as the wire writes it. */
  kept?(world: World, sent: Parts, data: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Codes of the envelope (or statuses) that mean that the input was taken. */
  readonly taken?: readonly number[];
  readonly trace: Trace;
}

let made = 0;

/** A name that nothing has yet. */
export function unused(what: string): string {
  made += 1;
  return `${what}-${made}`;
}

/** An id that the body repeats: the one of the address, or wrong. */
export function repeatedId(id: number): Kind {
  return [
    ...each([String(id), `"${id}"`], {}),
    ...whole({ min: 1, max: Number.MAX_SAFE_INTEGER, isOptional: true }, (kept): Expectation =>
      kept === id ? {} : { refuse: "id_differs" },
    ),
  ];
}

/** `data.id` of an answer. */
export function idIn(data: unknown): number {
  return typeof data === "object" && data !== null && "id" in data ? Number(data.id) : 0;
}

/** The id that a call is about: in its address, or in the body of the older calls. */
export function idOf(parts: Parts): number {
  return Number(parts.params?.["id"] ?? parts.body?.["id"] ?? 0);
}

/** A row of the audit log and the sides of the change that it tells. */
export function trace(
  action: string,
  object_type: string,
  ...tells: ("before" | "after")[]
): Trace {
  return { action, object_type, tells };
}
