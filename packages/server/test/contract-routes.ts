/** All calls of the contract. */
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import * as z from "zod/mini";

export interface NamedRoute {
  /** Method and path, as in the specification. */
  readonly name: string;
  readonly route: Route;
}

export function everyRoute(): NamedRoute[] {
  const nouns: readonly Readonly<Record<string, Route>>[] = Object.values(ROUTES);
  return nouns
    .flatMap((routes) => Object.values(routes))
    .map((route) => ({ name: `${route.method} ${route.path}`, route }));
}

export function isSigned(route: Route): boolean {
  return route.auth.by === "key";
}

/** Field names of an object schema; an empty list for other schemas. */
export function fieldsOf(schema: z.ZodMiniType | undefined): string[] {
  if (schema === undefined) {
    return [];
  }
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties ?? {});
}
