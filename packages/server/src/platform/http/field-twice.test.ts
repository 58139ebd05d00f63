import fc from "fast-check";
import { expect, test } from "vitest";
import { hasFieldTwice } from "./field-twice.ts";

const found = (json: string) => hasFieldTwice(json, JSON.parse(json));
const DEEP = "[".repeat(100_000) + "]".repeat(100_000);

test.each([
  ['{"a":1,"\\u0061":2}', true],
  ['[{"x":{"a" \t\r\n:1,"b":"a","a":[]}}]', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"\\\\":1,"\\\\":2}', true],
  [`{"a":1,"a":${DEEP}}`, true],
  ['["x",":","a:\\":"]', false],
  ['{"a":"\\\\","b":[{"a":1},{"a":1}],"A":"\\":"}', false],
  [JSON.stringify({ a: "\\".repeat(2_000_000), b: DEEP }), false],
])("%.40s: %s", (json, isTwice) => {
  expect(found(json)).toBe(isTwice);
});

test("serialized values have none, and every repeated field is found", () => {
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
