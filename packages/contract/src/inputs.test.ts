/**
 * Tests the bounds of every field of every call that writes, and of every part of an address, with the
 * message beyond each bound. The bounds come from the rules and not from the schemas, so the tests find a
 * bound that a schema lacks. fields.test.ts has unusual values for each kind of field.
 */
import { BODIES, PARTS, ROWS } from "#test/inputs";
import type { Fields } from "#test/inputs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { exclusionRow } from "#players/exclusion";
import { faultsOf } from "#platform/faults";
import { playerRow } from "#events/ingest";
import type { Route } from "#platform/route";
import { ROUTES } from "./routes.ts";
import { text } from "#platform/texts";

const nouns: Readonly<Record<string, Readonly<Record<string, Route>>>> = ROUTES;
const routes = Object.entries(nouns).flatMap(([noun, calls]) =>
  Object.entries(calls).map(([name, route]) => ({ name: `${noun}.${name}`, route })),
);

interface Schema {
  readonly name: string;
  readonly schema: z.ZodMiniType;
  readonly fields: Fields;
  readonly good: object;
}

const bodies = routes.flatMap(({ name, route: { access, body } }): Schema[] => {
  const [fields, good] = BODIES[name] ?? [{}, {}];
  return body === undefined || access === "read" ? [] : [{ name, schema: body, fields, good }];
});
const rowsOfLists = Object.entries(ROWS).map(([name, [schema, fields, good]]): Schema => {
  return { name: `a row: ${name}`, schema, fields, good };
});
const addresses = routes.flatMap(({ name, route: { params } }): Schema[] => {
  const parts = params === undefined ? [] : fieldsOf(params);
  const fields = Object.fromEntries(
    parts.flatMap((part) => (PARTS[part] ? [[part, PARTS[part]]] : [])),
  );
  return params === undefined
    ? []
    : [{ name: `the address of ${name}`, schema: params, fields, good: {} }];
});

function fieldsOf(schema: z.ZodMiniType): string[] {
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties ?? {});
}

function faults(schema: z.ZodMiniType, input: unknown) {
  const result = z.safeParse(schema, input);
  return result.success ? [] : faultsOf(result.error.issues);
}

test("the table has exactly the calls that write", () => {
  expect(bodies.map(({ name }) => name).toSorted()).toEqual(Object.keys(BODIES).toSorted());
});

describe.each([...bodies, ...rowsOfLists, ...addresses])("$name", ({ schema, fields, good }) => {
  test("has exactly these fields", () => {
    expect(fieldsOf(schema).toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  test.each(Object.entries(fields))("%s is held to its bounds", (field, { good: taken, bad }) => {
    for (const value of taken) {
      expect(faults(schema, { ...good, [field]: value }), JSON.stringify(value)).toEqual([]);
    }
    for (const [value, key, values, at] of bad) {
      const place = at === undefined ? field : `${field}.${at}`;
      const msg = text(key, "zh", { field: place, ...values });
      expect(faults(schema, { ...good, [field]: value })).toContainEqual({ field: place, msg });
    }
  });
});

describe.each([...bodies, ...rowsOfLists])("$name", ({ schema, good }) => {
  test("is an object without unknown fields", () => {
    const unknown = (field: string) => ({ field, msg: `不认识的字段 ${field}` });
    const foreign = { ...good, award_status: 1, constructor: 1 };
    expect(faults(schema, foreign)).toEqual([unknown("award_status"), unknown("constructor")]);
    for (const none of [null, [], "text", 7]) {
      expect(faults(schema, none)).toEqual([{ field: "body", msg: text("body_not_object", "zh") }]);
    }
  });
});

describe("an account that a platform may send", () => {
  const taken = playerRow.shape.user_name;
  const accounts = fc
    .oneof(
      fc.constantFrom("Li Wei", "a,b", "李、伟", "x；y", "7|a=b", "0012", "null", "%2C+"),
      fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => z.safeParse(taken, text).data),
    )
    .filter((account) => account !== undefined);
  const namingOne = routes.flatMap(({ name, route: { body, query } }) =>
    [body, query].flatMap((schema) =>
      schema !== undefined && fieldsOf(schema).includes("user_name") ? [{ name, schema }] : [],
    ),
  );

  test.each([...namingOne, { name: "a row of exclusions", schema: exclusionRow }])(
    "is read by $name as it is",
    ({ schema }) => {
      const { user_name } = (schema as z.ZodMiniObject).shape;
      fc.assert(
        fc.property(accounts, (account) => {
          expect(z.parse(user_name ?? z.never(), account)).toBe(account);
        }),
      );
    },
  );
});
