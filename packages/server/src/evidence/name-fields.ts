/** Values of JSON in rows of earlier releases that name players (behaviour §3): by their fields, never by what they look like. */

/** Each holds an account, or a list of them. */
const NAMES = new Set(
  "user_name user_names unknown doubled expired blocked excluded already".split(" "),
);
/** Texts that somebody typed. */
const TEXTS = new Set(["reason", "note"]);

export interface FieldChange {
  readonly name: (text: string) => string;
  readonly text: (text: string) => string;
}

/** The value with its names and typed texts changed; everything else stays. */
export function changeFields(value: unknown, change: FieldChange, field = ""): unknown {
  if (typeof value === "string") {
    return NAMES.has(field) ? change.name(value) : TEXTS.has(field) ? change.text(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => changeFields(one, change, field));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, changeFields(one, change, key)]),
  );
}
