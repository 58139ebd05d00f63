/**
 * Finds what JSON.parse passes over: an object that names a field twice. Which of the two counts is each
 * reader's own choice, so that signer, proxy and we might each have meant another value.
 */

const QUOTE = '"';
const SPACE = /[\t\n\r ]/;

/** Is the character at `at` behind an odd number of backslashes? */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === "\\") {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}

/** Place of the quote that ends the text beginning at `from`. */
function endOfText(json: string, from: number): number {
  let end = json.indexOf(QUOTE, from + 1);
  while (isEscaped(json, end)) {
    end = json.indexOf(QUOTE, end + 1);
  }
  return end;
}

/** How many fields are named in a text that is JSON: texts with a colon behind them. */
function fieldsNamed(json: string): number {
  let named = 0;
  for (let from = json.indexOf(QUOTE); from !== -1;) {
    let next = endOfText(json, from) + 1;
    while (SPACE.test(json.charAt(next))) {
      next += 1;
    }
    named += json[next] === ":" ? 1 : 0;
    from = json.indexOf(QUOTE, next);
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
