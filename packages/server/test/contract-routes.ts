/** The calls of the contract as one list. */
import type { Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import * as z from "zod/mini";

export interface NamedRoute {
  /** Method and path, as the specification and integrators name a call. */
  readonly name: string;
  readonly route: Route;
}

/** Every call, in the order of the contract. */
export function everyRoute(): NamedRoute[] {
  const nouns: readonly Readonly<Record<string, Route>>[] = Object.values(ROUTES);
  return nouns
    .flatMap((routes) => Object.values(routes))
    .map((route) => ({ name: `${route.method} ${route.path}`, route }));
}

/** Is it called by a platform, with a signature? */
export function isSigned(route: Route): boolean {
  return route.auth.by === "key";
}

/** Names of the fields that a schema of an object declares; none for what is no object. */
export function fieldsOf(schema: z.ZodMiniType | undefined): string[] {
  if (schema === undefined) {
    return [];
  }
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties ?? {});
}
