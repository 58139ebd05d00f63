import type { ReactNode } from "react";
import type { ListState } from "./list-state.ts";
import type { Key, TableSelection } from "./selection.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly width?: number;
  readonly align?: "left" | "center" | "right";
  /** The column stays visible when the table scrolls sideways. */
  readonly fixed?: "start" | "end";
  /** The cell that names the row. In a card it is the title. */
  readonly rowHeader?: boolean;
  /** The column contains buttons. In a card they are at the bottom. */
  readonly actions?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface ListTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  list: ListState<Row>;
  keyOf: (row: Row) => Key;
  /** Name of the row, for the labels of its checkbox and its expand button. */
  nameOf: (row: Row) => string;
  /** True if filters are set. An empty list then shows "nothing found" instead of "nothing here". */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** Shown if the list is empty and no filters are set. */
  emptyAction?: ReactNode;
  /** Column that the rows are sorted by. `turn` reverses the order. */
  order?: { readonly key: string; readonly rising: boolean; readonly turn: () => void };
  selection?: TableSelection<Row>;
  expand?: (row: Row) => ReactNode;
  markedKey?: Key | null;
}
