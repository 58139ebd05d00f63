/** Every text that operators get, or type about players, has a mark that says what it tells about players. */
import { partOf } from "#platform/marks";
import type { Mark } from "#platform/marks";
import type { Route } from "#platform/route";
import { ROUTES } from "./routes.ts";
import type * as z from "zod/mini";
import { expect, test } from "vitest";

const nouns: readonly Readonly<Record<string, Route>>[] = Object.values(ROUTES);
const routes = nouns.flatMap(Object.values<Route>).filter(({ auth }) => auth.by !== "key");

interface Text {
  readonly place: string;
  readonly name: string;
  readonly mark: Mark | null;
}

function textsOf(schema: z.core.$ZodType, place: string, name = ""): Text[] {
  const part = partOf(schema);
  switch (part.kind) {
    case "leaf":
      return [{ place, name, mark: part.mark }];
    case "object":
      return Object.entries(part.fields).flatMap(([key, one]) =>
        textsOf(one, `${place}.${key}`, key),
      );
    case "either":
      return part.of.flatMap((one) => textsOf(one, place, name));
    case "list":
    case "map":
      return textsOf(part.of, `${place}[]`, name);
    default:
      return part satisfies never;
  }
}

const answered = routes.flatMap(({ method, path, data }) => textsOf(data, `${method} ${path}`));
const typed = routes
  .filter(({ access }) => access !== "read")
  .flatMap(({ method, path, body }) =>
    body === undefined ? [] : textsOf(body, `${method} ${path}`),
  );

const searched = routes.flatMap(({ method, path, query, access, body }) =>
  [query, access === "read" ? body : undefined].flatMap((one) =>
    one === undefined ? [] : textsOf(one, `${method} ${path}`),
  ),
);

test("no text of an answer is without a mark", () => {
  expect(answered.length).toBeGreaterThan(500);
  expect(answered.filter(({ mark }) => mark === null)).toEqual([]);
});

test.each<[string, readonly Text[], RegExp, number, readonly (Mark | null)[]]>([
  ["an account", answered, /user_name|player_id|^account$|^player$/, 10, ["account"]],
  [
    "money",
    answered,
    /amount|price|cost|risk$|_sum$|^sum$|depositTotal|betlogTotal|^missing$|^crossed$|condition_value/i,
    10,
    ["amount", "money"],
  ],
  [
    "what somebody wrote",
    answered,
    /^(?:reason|note|answer|request|\w+_reason)$/,
    10,
    ["words", "reason", "plain"],
  ],
  ["what a wallet writes", answered, /^wallet_ref$/, 0, ["words"]],
  ["an amount that is searched for", searched, /amount|price|cost|sum/, 4, ["amount"]],
  ["what an operator writes", typed, /^(?:reason|note|remark|comment|why)$/, 8, ["words"]],
  ["a player whom an operator names", typed, /^(?:user_names?|account)$/, 3, ["account"]],
])("what is called %s is marked so", (...[, texts, called, atLeast, right]) => {
  const named = texts.filter(({ name }) => called.test(name));
  expect(named.length).toBeGreaterThan(atLeast);
  expect(named.filter(({ mark }) => !right.includes(mark))).toEqual([]);
});

test("a secret is made for who calls, and no list holds one", () => {
  const secrets = answered.filter(({ mark }) => mark === "secret");
  const read = secrets.map(({ place }) => place).filter((place) => place.startsWith("GET"));
  expect(read).toEqual(["GET /gred/api/user/info.request_token"]);
});
