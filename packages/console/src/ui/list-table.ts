/** What a list is rendered from, as a table or as cards. */
import type { ReactNode } from "react";
import type { ListState } from "./list-state.ts";
import type { Key, TableSelection } from "./selection.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly width?: number;
  readonly align?: "left" | "center" | "right";
  /** Stays in view when the table is scrolled sideways. */
  readonly fixed?: "start" | "end";
  /** The cell that names the row; also the title of its card. */
  readonly rowHeader?: boolean;
  readonly ellipsis?: boolean;
  /** Buttons: the foot of a card. */
  readonly actions?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface ListTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  list: ListState<Row>;
  keyOf: (row: Row) => Key;
  /** What the row is called in labels of its checkbox and its expander. */
  nameOf: (row: Row) => string;
  /** Filters are set: nothing found is something else than nothing there. */
  filtered?: boolean;
  onClearFilters?: () => void;
  /** Offered when there is no data at all. */
  emptyAction?: ReactNode;
  selection?: TableSelection<Row>;
  expand?: (row: Row) => ReactNode;
  /** Marked because it was just changed. */
  markedKey?: Key | null;
}
