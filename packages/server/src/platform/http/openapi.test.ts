/** The OpenAPI description contains ranges, forms and codes, not only types. */
import { PROBLEM_CODES } from "@red/contract/platform/errors";
import { openApi } from "./openapi.ts";
import { expect, test } from "vitest";

function at(from: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) => (found as Record<string, unknown> | undefined)?.[name],
    from,
  );
}

const paths = openApi()["paths"];
const JSON_BODY = ["requestBody", "content", "application/json", "schema", "properties"];
const answered = (status: string, type = "application/json") => [
  "responses",
  status,
  "content",
  type,
  "schema",
  "properties",
];
const AMOUNT = String.raw`^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$`;

test.each([
  ["/gred/api/act", "post", [...JSON_BODY, "condition_times"], { minimum: 1, maximum: 5 }],
  [
    "/gred/api/pool",
    "post",
    [...JSON_BODY, "pool_name"],
    { minLength: 1, maxLength: 64, description: "Trimmed; every character is visible" },
  ],
  [
    "/open/v1/deposits",
    "post",
    [...JSON_BODY, "deposits", "items", "properties", "amount"],
    { pattern: AMOUNT, description: "Decimal text from 0.01 to 9999999999.99" },
  ],
  [
    "/open/v1/deposits",
    "post",
    [...JSON_BODY, "deposits", "items", "properties", "created_at"],
    { type: "string", format: "date-time" },
  ],
  [
    "/open/v1/draws",
    "post",
    [...answered("201"), "award_price"],
    { type: "string", pattern: String.raw`^\d+\.\d\d$` },
  ],
  [
    "/open/v1/draws",
    "post",
    [...answered("default", "application/problem+json"), "code"],
    { type: "string", enum: [...PROBLEM_CODES] },
  ],
])("%s %s: %j", (path, method, names, wanted) => {
  expect(at(paths, path, method, ...names)).toMatchObject(wanted);
});

test("a number that is sent as digits is described beside the range", () => {
  const schema = at(paths, "/gred/api/act", "post", ...JSON_BODY, "turnover");
  expect(schema).toMatchObject({ anyOf: [{ type: "integer" }, { type: "string" }] });
  // An id has no limit that a caller can reach.
  const id = at(paths, "/open/v1/draws", "post", ...JSON_BODY, "rounds_id");
  expect(id).toMatchObject({ minimum: 1 });
  expect(id).not.toHaveProperty("maximum");
});
