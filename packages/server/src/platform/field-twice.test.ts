/** An object that names a field twice is found, and nothing else is taken for one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasFieldTwice } from "./field-twice.ts";

const found = (json: string) => hasFieldTwice(json, JSON.parse(json));

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a" \t\r\n:1,"a":2}',
  '{"draws":[{"player_id":"p","player_id":"q"}]}',
  '[{"x":{"a":1,"b":"a","a":[]}}]',
  '{"__proto__":1,"__proto__":2}',
  '{"":1,"":2}',
  '{"\\\\":1,"\\\\":2}',
  `{"a":1,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
])("is found in %.40s", (json) => {
  expect(found(json)).toBe(true);
});

test.each([
  "{}",
  "null",
  '"a:\\":"',
  '["a","a"]',
  '{"a":"a","b":{"a":"b:"}}',
  '{"a":"\\\\","b":"\\":"}',
  '{"a":[{"a":1},{"a":1}],"A":"x"}',
  '{"__proto__":{"a":1},"a":2}',
  "[".repeat(100_000) + "]".repeat(100_000),
  JSON.stringify({ a: Array.from({ length: 200_000 }, () => ({ a: 1 })) }),
])("is not seen in %.40s", (json) => {
  expect(found(json)).toBe(false);
});

test("no value that was written once has one, and every one that repeats a field has", () => {
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(object, fc.nat(), fc.constantFrom(0, 2), (value, pick, indent) => {
      const json = JSON.stringify(value, null, indent);
      expect(found(json)).toBe(false);
      const names = Object.keys(value);
      const again = JSON.stringify(names[pick % names.length]);
      expect(found(`{${again}:0,${json.slice(1)}`)).toBe(true);
    }),
  );
});
