/**
 * A route value types one call for both sides: the server must implement it, the console calls it, the
 * documentation is derived from it. Nobody types a URL by hand.
 */
import * as z from "zod/mini";
import type { Permission, Scope } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Schema = z.ZodMiniType;

/**
 * What the server gives to the handler: `read` the database, `write` one transaction that also writes the
 * audit row. `own` opens what it needs (sign-in, draws), `download` answers a file and also accepts its
 * ticket in the address, `upload` gets the one file of a multipart body, `stream` answers server-sent events with
 * `data` in each.
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
      /** Called by the console without an operator: does not keep the session alive. */
      readonly unattended?: true;
    }
  | { readonly by: "key"; readonly scope: Scope };

export interface Route<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  D extends Schema = Schema,
  A extends Access = Access,
> {
  readonly method: Method;
  /** With `{name}` placeholders, as in OpenAPI. */
  readonly path: string;
  /** One line in the API documentation. */
  readonly summary: string;
  readonly auth: Auth;
  readonly access: A;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** `data` of the envelope (operator calls), or the whole answer (platform calls). */
  readonly data: D;
}

type RouteInit<R extends Route> = Pick<R, "summary" | "auth" | "access"> &
  Partial<Pick<R, "params" | "query" | "body" | "data">> & {
    /** Method and path, as in the specification. */
    readonly call: `${Method} /${string}`;
  };

/** Makes a route value; parts that are left out are typed as absent, and `data` then is null. */
export function route<
  const A extends Access,
  D extends Schema = z.ZodMiniNull,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>({ call, ...init }: RouteInit<Route<P, Q, B, D, A>>): Route<P, Q, B, D, A> {
  // The type of `call` has both parts.
  const [method, path] = call.split(" ") as [Method, string];
  const absent = { params: undefined, query: undefined, body: undefined, data: z.null() };
  // A part that is left out has its default type.
  type Parts = Pick<Route<P, Q, B, D, A>, keyof typeof absent>;
  return { ...(absent as unknown as Parts), ...init, method, path };
}

/** A call by an operator with the permission. */
export function operator<const A extends Access>(permission: Permission | "signed_in", access: A) {
  return { auth: { by: "operator", permission }, access } as const;
}

/** A call by a game platform or wallet whose key has the scope. */
export function platform<const A extends Access>(scope: Scope, access: A) {
  return { auth: { by: "key", scope }, access } as const;
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Sent<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler receives, parsed. */
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

/** What a handler answers. */
export type Answer<R extends Route> = z.input<R["data"]>;

/** What a client reads. */
export type Data<R extends Route> = z.output<R["data"]>;

/** Fills `{name}` placeholders with percent-encoded values. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) {
      throw new Error(`path ${path} needs ${name}`);
    }
    return encodeURIComponent(value);
  });
}
