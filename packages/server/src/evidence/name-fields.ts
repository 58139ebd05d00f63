/**
 * Changes player names in JSON of earlier releases (behaviour §3). A name is recognized by its field, never by
 * its text.
 */

/** Fields that contain an account or a list of accounts. */
const NAMES = new Set(
  "user_name user_names unknown doubled expired blocked excluded already".split(" "),
);
/** Fields that contain text typed by a person. */
const TEXTS = new Set(["reason", "note"]);

export interface FieldChange {
  readonly name: (text: string) => string;
  readonly text: (text: string) => string;
}

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
