/** Returns the row of a statement that always has one row, such as an aggregate. */
export function oneRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) {
    throw new Error("the database answered nothing");
  }
  return row;
}
