/**
 * Finds JSON objects that contain a field twice, which JSON.parse accepts. Signer, proxy and server could each use a
 * different one of the two values (behaviour §1).
 */

const AFTER_NAME = /\s+:/y;

/** Counts the field names in valid JSON: strings followed by a colon. */
function countNames(json: string): number {
  // Without escapes, each quote begins or ends a string.
  const plain = json.includes("\\") ? json.replaceAll(/\\./g, "") : json;
  let names = 0;
  for (let begin = plain.indexOf('"'); begin >= 0;) {
    const end = plain.indexOf('"', begin + 1);
    AFTER_NAME.lastIndex = end + 1;
    names += plain[end + 1] === ":" || AFTER_NAME.test(plain) ? 1 : 0;
    begin = plain.indexOf('"', end + 1);
  }
  return names;
}

/** Counts the fields of all objects. Not recursive: a body may be nested a million deep. */
function countFields(value: unknown): number {
  let fields = 0;
  const pending = [value];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (typeof current === "object" && current !== null) {
      const inner: unknown[] = Object.values(current);
      fields += Array.isArray(current) ? 0 : inner.length;
      for (const part of inner) {
        if (typeof part === "object") {
          pending.push(part);
        }
      }
    }
  }
  return fields;
}

/** `value` is the result of JSON.parse for `json`. */
export function hasFieldTwice(json: string, value: unknown): boolean {
  return countNames(json) !== countFields(value);
}
