/**
 * A route value gives one call the same types on both sides: the server must implement the route, the console
 * calls the route, and the documentation is generated from it. So nobody writes a URL by hand.
 */
import * as z from "zod/mini";
import type { Permission, Scope } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Schema = z.ZodMiniType;

/**
 * What the server gives to the handler. `read`: the database. `write`: one transaction that also writes the
 * audit row. `own`: the handler opens what it needs (sign-in, draws). `download`: the response is a file, and
 * a ticket in the address is accepted too. `upload`: the one file of a multipart body. `stream`: the response
 * is server-sent events with `data` in each event.
 */
export type Access = "read" | "write" | "own" | "download" | "upload" | "stream";

/** Who may call: anybody, a signed-in operator with a permission, or a platform key with a scope. */
export type Auth =
  | { readonly by: "nobody" }
  | {
      readonly by: "operator";
      readonly permission: Permission | "signed_in";
      /** A second permission that the call needs. */
      readonly also?: Permission;
      /** The console makes this call without action of the operator, so the call does not keep the session alive. */
      readonly unattended?: true;
    }
  | { readonly by: "key"; readonly scope: Scope };

/** A call that changes nothing needs no proof. */
type Reading = "read" | "download" | "stream";

/**
 * What an operator must give for a change (behaviour §16). `risk`: the risk that the act returns decides
 * whether the change needs a code, a reason or a second person. `code`: always a code; the risk decides the
 * rest. `authenticator`: like `code`, but recovery codes are invalid. `first`: a code, which the act checks
 * before anything else. `none`: no proof, with the reason.
 */
export type Proof = "risk" | "code" | "authenticator" | "first" | { readonly none: string };

const READING: ReadonlySet<Access> = new Set<Reading>(["read", "download", "stream"]);

export type ProofOf<A extends Access> = A extends Reading ? null : Proof;

export interface Route<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  D extends Schema = Schema,
  A extends Access = Access,
  W extends Proof | null = Proof | null,
> {
  readonly method: Method;
  /** Contains `{name}` placeholders, as in OpenAPI. */
  readonly path: string;
  /** One line in the API documentation. */
  readonly summary: string;
  readonly auth: Auth;
  readonly access: A;
  /** Null for a call that changes nothing. */
  readonly proof: W;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** `data` of the envelope (operator calls), or the whole response (platform calls). */
  readonly data: D;
}

type RouteInit<R extends Route> = Pick<R, "summary" | "auth" | "access" | "proof"> &
  Partial<Pick<R, "params" | "query" | "body" | "data">> & {
    /** Method and path, as in the specification. */
    readonly call: `${Method} /${string}`;
  };

/** Makes a route value. A missing part gets the type undefined; missing `data` is null. */
export function route<
  const A extends Access,
  const W extends ProofOf<A>,
  D extends Schema = z.ZodMiniNull,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>({ call, ...init }: RouteInit<Route<P, Q, B, D, A, W>>): Route<P, Q, B, D, A, W> {
  // The type of `call` guarantees both parts.
  const [method, path] = call.split(" ") as [Method, string];
  const absent = { params: undefined, query: undefined, body: undefined, data: z.null() };
  // A missing part has its default type.
  type Parts = Pick<Route<P, Q, B, D, A, W>, keyof typeof absent>;
  return { ...(absent as unknown as Parts), ...init, method, path };
}

export type Permitted = Permission | "signed_in" | readonly [Permission, also: Permission];

function authOf(permitted: Permitted): Extract<Auth, { by: "operator" }> {
  if (typeof permitted === "string") {
    return { by: "operator", permission: permitted };
  }
  const [permission, also] = permitted;
  return { by: "operator", permission, also };
}

/** A call by an operator who has the permission, or both permissions. A change also names its proof. */
export function operator<const A extends Reading>(
  permitted: Permitted,
  access: A,
): { auth: Auth; access: A; proof: null };
export function operator<const A extends Exclude<Access, Reading>, const W extends Proof>(
  permitted: Permitted,
  access: A,
  proof: W,
): { auth: Auth; access: A; proof: W };
export function operator(permitted: Permitted, access: Access, proof: Proof | null = null): object {
  return { auth: authOf(permitted), access, proof };
}

/** A read call that the console repeats without action of the operator, so the call does not keep the session alive. */
export function unattended<const A extends Reading>(permitted: Permitted, access: A) {
  const auth: Auth = { ...authOf(permitted), unattended: true };
  return { auth, access, proof: null };
}

const BY_KEY = { none: "a platform's key signs the call" } as const;

/** A call by a game platform or wallet whose key has the scope. */
export function platform<const A extends Reading>(
  scope: Scope,
  access: A,
): { auth: Auth; access: A; proof: null };
export function platform<const A extends Exclude<Access, Reading>>(
  scope: Scope,
  access: A,
): { auth: Auth; access: A; proof: typeof BY_KEY };
export function platform(scope: Scope, access: Access): object {
  return { auth: { by: "key", scope }, access, proof: READING.has(access) ? null : BY_KEY };
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Sent<S> = S extends Schema ? z.input<S> : undefined;

/** The parsed parts of a request, as a handler gets them. */
export interface Received<R extends Route> {
  params: Parsed<R["params"]>;
  query: Parsed<R["query"]>;
  body: Parsed<R["body"]>;
}

type SentPart<K extends string, S> = S extends Schema ? { [P in K]: Sent<S> } : unknown;

/** What a client sends: only the parts that the route has. */
export type Input<R extends Route> = SentPart<"params", R["params"]> &
  SentPart<"query", R["query"]> &
  SentPart<"body", R["body"]>;

/** What a handler returns. */
export type Answer<R extends Route> = z.input<R["data"]>;

/** What a client reads. */
export type Data<R extends Route> = z.output<R["data"]>;

/** Fills the `{name}` placeholders with percent-encoded values. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) {
      throw new Error(`path ${path} needs ${name}`);
    }
    return encodeURIComponent(value);
  });
}
