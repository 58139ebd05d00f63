import type { ReactNode } from "react";
import type { ListState } from "./list-state.ts";
import type { Key, TableSelection } from "./selection.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly width?: number;
  readonly align?: "left" | "center" | "right";
  /** Stays in view when the table scrolls sideways. */
  readonly fixed?: "start" | "end";
  /** The cell that names the row; in cards, the title. */
  readonly rowHeader?: boolean;
  /** Buttons; in cards, the foot. */
  readonly actions?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface ListTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  list: ListState<Row>;
  keyOf: (row: Row) => Key;
  /** Name of the row in the labels of its checkbox and expander. */
  nameOf: (row: Row) => string;
  /** Filters are set: "nothing found" instead of "nothing here". */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** Shown if the list has no rows without filters. */
  emptyAction?: ReactNode;
  /** The rows' order by one column; `turn` reverses it. */
  order?: { readonly key: string; readonly rising: boolean; readonly turn: () => void };
  selection?: TableSelection<Row>;
  expand?: (row: Row) => ReactNode;
  markedKey?: Key | null;
}
