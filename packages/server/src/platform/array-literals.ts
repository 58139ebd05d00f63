/** Arrays as PostgreSQL reads them; the driver's own form takes longer. */

/** Of values without commas, braces and quotes. */
export function plain(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

/** Of any texts. */
export function texts(values: readonly string[]): string {
  return values.length === 0
    ? "{}"
    : `{"${values
        .join("\0")
        .replaceAll(/["\\]/g, String.raw`\$&`)
        .replaceAll("\0", '","')}"}`;
}
