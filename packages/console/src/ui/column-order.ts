/**
 * Which columns a table shows and in which order, as the operator chose. A choice is kept as a text:
 * the keys in their order, hidden ones with a minus before them (`user_name,-type,created_at`).
 */

/** What arranging needs to know of a column. */
export interface Arrangeable {
  readonly key: string;
  readonly fixed?: "start" | "end";
  readonly rowHeader?: boolean;
  readonly actions?: boolean;
}

export interface Arranged<C extends Arrangeable> {
  readonly column: C;
  readonly shown: boolean;
  /** What names the row, and what is done with it, cannot be put away. */
  readonly canHide: boolean;
  /** Where a move would lead to; null where there is no further to go. */
  readonly before: string | null;
  readonly after: string | null;
}

/* Columns that stay in view stand at the edges of the table, whatever is chosen. */
function placeOf({ fixed, actions }: Arrangeable): "start" | "middle" | "end" {
  if (actions === true) {
    return "end";
  }
  return fixed ?? "middle";
}

interface Choice {
  readonly key: string;
  readonly hidden: boolean;
}

function parse(stored: string | null): Choice[] {
  return (stored ?? "")
    .split(",")
    .filter((part) => part !== "")
    .map((part) => ({ key: part.replace(/^-/, ""), hidden: part.startsWith("-") }));
}

/* A column that came with a newer version stands behind the one that it follows by default. */
function orderOf(columns: readonly Arrangeable[], choices: readonly Choice[]): string[] {
  const known = new Set(columns.map(({ key }) => key));
  const order = choices.map(({ key }) => key).filter((key) => known.has(key));
  columns.forEach(({ key }, index) => {
    if (!order.includes(key)) {
      const previous = columns[index - 1]?.key;
      order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, key);
    }
  });
  return order;
}

/** The columns in their chosen order, the hidden ones among them. */
export function arrange<C extends Arrangeable>(
  columns: readonly C[],
  stored: string | null,
): readonly Arranged<C>[] {
  const choices = parse(stored);
  const rank = new Map(orderOf(columns, choices).map((key, index) => [key, index]));
  const hidden = new Set(choices.filter((choice) => choice.hidden).map(({ key }) => key));
  const at = (place: "start" | "middle" | "end") =>
    columns.filter((column) => placeOf(column) === place);
  const middle = at("middle").toSorted((a, b) => (rank.get(a.key) ?? 0) - (rank.get(b.key) ?? 0));
  const keyAt = (index: number) => middle[index]?.key ?? null;
  return [...at("start"), ...middle, ...at("end")].map((column) => {
    const canHide = column.rowHeader !== true && column.actions !== true;
    const index = middle.indexOf(column);
    return {
      column,
      shown: !canHide || !hidden.has(column.key),
      canHide,
      before: index < 0 ? null : keyAt(index - 1),
      after: index < 0 ? null : keyAt(index + 1),
    };
  });
}

function stored(arranged: readonly Arranged<Arrangeable>[]): string {
  return arranged.map(({ column, shown }) => `${shown ? "" : "-"}${column.key}`).join(",");
}

/** The choice with this column shown or hidden. */
export function withShown(
  arranged: readonly Arranged<Arrangeable>[],
  key: string,
  shown: boolean,
): string {
  return stored(arranged.map((one) => (one.column.key === key ? { ...one, shown } : one)));
}

/** The choice with these two columns in each other's place. */
export function withSwapped(
  arranged: readonly Arranged<Arrangeable>[],
  key: string,
  other: string,
): string {
  const of = (wanted: string) => arranged.find(({ column }) => column.key === wanted);
  const one = of(key);
  const two = of(other);
  return stored(
    arranged.flatMap((each) => {
      const put = each === one ? two : each === two ? one : each;
      return put === undefined ? [] : [put];
    }),
  );
}
