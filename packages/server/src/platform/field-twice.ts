/**
 * Finds what JSON.parse passes over: an object that names a field twice. Which of the two counts is each
 * reader's own choice, so that signer, proxy and we might each have meant another value (behaviour §1).
 */

/** How many fields are named in a text that is JSON: texts with a colon behind them. */
function fieldsNamed(json: string): number {
  let named = 0;
  // Without escapes, each quote begins or ends a text.
  for (const [, colon] of json.replaceAll(/\\./g, "").matchAll(/"[^"]*"(\s*:)?/g)) {
    named += colon === undefined ? 0 : 1;
  }
  return named;
}

/** How many fields all objects of a value have. No recursion: a body may be nested a million deep. */
function fieldsHeld(value: unknown): number {
  let held = 0;
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === "object" && one !== null) {
      const inner: unknown[] = Object.values(one);
      held += Array.isArray(one) ? 0 : inner.length;
      for (const part of inner) {
        if (typeof part === "object") {
          open.push(part);
        }
      }
    }
  }
  return held;
}

/** Does an object of `json` name a field twice? `value` is what JSON.parse has made of it. */
export function hasFieldTwice(json: string, value: unknown): boolean {
  return fieldsNamed(json) !== fieldsHeld(value);
}
