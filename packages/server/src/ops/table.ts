/** Rows as aligned text columns. */

/** A heading and the rows under it; nothing but the heading when there are none. */
export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
