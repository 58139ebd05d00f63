/** Typed reads of answers: a missing or mistyped part is an error. */

/** The value at `path`, or undefined. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null) {
      return undefined;
    }
    at = new Map<string, unknown>(Object.entries(at)).get(String(step));
  }
  return at;
}

function fault(kind: string, value: unknown, path: readonly (string | number)[]): Error {
  const excerpt = JSON.stringify(value) ?? "nothing";
  return new Error(`no ${kind} at ${path.join(".")} of ${excerpt.slice(0, 300)}`);
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const part = dig(value, ...path);
  if (typeof part !== "string") {
    throw fault("text", value, path);
  }
  return part;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const part = dig(value, ...path);
  if (typeof part !== "number") {
    throw fault("number", value, path);
  }
  return part;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  const part = dig(value, ...path);
  if (!Array.isArray(part)) {
    throw fault("list", value, path);
  }
  return part;
}

/** Null when the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
