/** The row of a statement that always answers one, as an aggregate does. */
export function oneRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) {
    throw new Error("the database answered nothing");
  }
  return row;
}
