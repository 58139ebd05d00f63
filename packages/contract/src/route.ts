/**
 * A route value types one call for both sides: the server must implement it, the console and the
 * documentation are derived from it. Nobody types a URL by hand.
 */
import type * as z from "zod/mini";
import type { Permission, Scope } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Schema = z.ZodMiniType;

/**
 * What the server hands to the handler: `read` gets the database, `write` gets one transaction in
 * which its audit row is written too, `own` opens what it needs (sign-in, draws), `download` answers a
 * file and takes its token from the address too, `upload` gets the one file of a multipart body.
 */
export type Access = "read" | "write" | "own" | "download" | "upload";

/** Who may call: anybody, a signed-in operator with a permission, or a platform key with a scope. */
export type Auth =
  | { readonly by: "nobody" }
  | {
      readonly by: "operator";
      readonly permission: Permission | "signed_in";
      /** A second permission that it needs besides. */
      readonly also?: Permission;
      /** Made by the console on its own, again and again: it keeps no session alive. */
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
  /** Path with `{name}` placeholders, as OpenAPI writes them. */
  readonly path: string;
  /** One line for the API documentation. */
  readonly summary: string;
  readonly auth: Auth;
  readonly access: A;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** What `data` of the envelope holds (operator calls), or the whole answer (platform calls). */
  readonly data: D;
}

interface RouteInit<P, Q, B, D, A> {
  method: Method;
  path: string;
  summary: string;
  auth: Auth;
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  data: D;
}

/** Makes a route value; what is left out is typed as absent. */
export function route<
  D extends Schema,
  const A extends Access,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(init: RouteInit<P, Q, B, D, A>): Route<P, Q, B, D, A> {
  return {
    method: init.method,
    path: init.path,
    summary: init.summary,
    auth: init.auth,
    access: init.access,
    // Left out, the type parameter is `undefined` by its default.
    params: init.params as P,
    query: init.query as Q,
    body: init.body as B,
    data: init.data,
  };
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Sent<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler receives, already checked. */
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

/** Fills `{name}` placeholders, each value percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) {
      throw new Error(`path ${path} needs ${name}`);
    }
    return encodeURIComponent(value);
  });
}
