/** Table of every list: one `<table>` with a sticky header, or cards on narrow screens. */
import { Button, Table } from "antd";
import type { TableProps, TableRef } from "antd";
import { useRef } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { CardList, Expander } from "./card-list.tsx";
import type { Column, ListTableProps } from "./list-table.ts";
import { useIsMobile, useIsNarrow } from "./media.ts";
import { useFocusableScroll } from "./focusable-scroll.ts";

const SKELETON = { rows: 8, cards: 3 };
const [RISING, FALLING] = ["ascend", "descend"] as const;

function selectionProps<Row>(
  { selection, list, keyOf, nameOf }: ListTableProps<Row>,
  texts: { page: string; row: (name: string) => string },
): Pick<TableProps<Row>, "rowSelection"> {
  if (selection === undefined) {
    return {};
  }
  const rowSelection: TableProps<Row>["rowSelection"] = {
    selectedRowKeys: list.rows.map(keyOf).filter(selection.has),
    columnWidth: 40,
    fixed: true,
    onChange: (keys) => {
      const ticked = new Set<unknown>(keys);
      selection.mark(
        list.rows.filter((row) => ticked.has(keyOf(row))),
        list.rows.filter((row) => !ticked.has(keyOf(row))),
      );
    },
    getTitleCheckboxProps: () => ({ "aria-label": texts.page }),
    getCheckboxProps: (row) => ({
      "aria-label": texts.row(nameOf(row)),
      disabled: selection.mayTick?.(row) === false,
    }),
  };
  return { rowSelection };
}

function tableColumns<Row>(
  columns: readonly Column<Row>[],
  fixed: boolean,
  order: ListTableProps<Row>["order"],
): TableProps<Row>["columns"] {
  return columns.map((column) => ({
    key: column.key,
    title: column.title,
    ...(column.width !== undefined && { width: column.width }),
    ...(column.align !== undefined && { align: column.align }),
    ...(fixed && column.fixed !== undefined && { fixed: column.fixed }),
    ...(column.rowHeader === true && { rowScope: "row" as const }),
    ...(order?.key === column.key && {
      sorter: true,
      sortOrder: order.rising ? RISING : FALLING,
      sortDirections: [RISING, FALLING, RISING],
      showSorterTooltip: false,
    }),
    onHeaderCell: () => ({ scope: "col" }),
    render: (_: unknown, row: Row) => column.render(row),
  }));
}

/** Returns a table of placeholder rows for a list that is loading. */
function skeletonOf<Row>(
  { label, list }: ListTableProps<Row>,
  columns: readonly Column<Row>[],
  count: number,
): ListTableProps<{ index: number }> {
  const render = () => <span className="k-skeleton" aria-hidden="true" />;
  return {
    label,
    columns: columns.map((column) => ({ ...column, render })),
    list: { ...list, rows: Array.from({ length: count }, (_, index) => ({ index })) },
    keyOf: ({ index }) => index,
    nameOf: () => "",
  };
}

interface RowsProps<Row> extends ListTableProps<Row> {
  table: RefObject<TableRef | null>;
  isMobile: boolean;
}

function Rows<Row extends object>(props: RowsProps<Row>) {
  const { label, columns, list, keyOf, nameOf, expand, markedKey = null, table, isMobile } = props;
  const { t } = useTranslation("ui");
  const empty = <NoRows {...props} />;
  return (
    <Table<Row>
      ref={table}
      aria-label={label}
      aria-busy={list.fetching}
      // The rows are old: new rows are loading, or loading was stopped.
      className={list.stale ? "k-table k-stale" : "k-table"}
      rowKey={keyOf}
      size="medium"
      columns={tableColumns(columns, !isMobile, props.order) ?? []}
      onChange={() => props.order?.turn()}
      dataSource={[...list.rows]}
      pagination={false}
      // Without rows the box does not scroll, because it would contain nothing that the keyboard can reach.
      scroll={list.rows.length > 0 ? { x: "max-content" } : {}}
      locale={{ emptyText: empty }}
      rowClassName={(row) => (keyOf(row) === markedKey ? "k-marked" : "")}
      {...selectionProps(props, {
        page: t("select_page"),
        row: (name) => t("select_row", { name }),
      })}
      {...(expand !== undefined && {
        expandable: {
          expandedRowRender: expand,
          columnWidth: 40,
          columnTitle: <span className="sr-only">{t("details")}</span>,
          expandIcon: ({ expanded, onExpand, record }) => (
            <Expander
              open={expanded}
              name={nameOf(record)}
              onToggle={(event) => onExpand(record, event)}
            />
          ),
        },
      })}
    />
  );
}

/** Explains why there are no rows: no rows exist, no rows match, loading failed, or loading was stopped. */
function NoRows<Row>({ list, filtered, onClearFilters, emptyAction }: ListTableProps<Row>) {
  const { t } = useTranslation("ui");
  const retry = <Button onClick={list.retry}>{t("retry")}</Button>;
  const clear = onClearFilters && <Button onClick={onClearFilters}>{t("clear_filters")}</Button>;
  const [title, action] = list.failed
    ? [t("load_failed"), retry]
    : list.stopped
      ? [t("stopped"), retry]
      : filtered === true
        ? [t("no_result"), clear]
        : [t("no_data"), emptyAction];
  return (
    <div className="k-empty" {...(list.failed && { role: "alert" })}>
      <p className="k-empty-title">{title}</p>
      {action}
    </div>
  );
}

export function DataTable<Row extends object>(props: ListTableProps<Row>) {
  const { label, list, columns } = props;
  const isMobile = useIsMobile();
  const isNarrow = useIsNarrow();
  const table = useRef<TableRef>(null);
  useFocusableScroll(() => table.current?.nativeElement.querySelector(".ant-table-content"), label);
  if (isNarrow && list.pending) {
    const shown = columns.filter(({ actions }) => actions !== true);
    return <CardList {...skeletonOf(props, shown, SKELETON.cards)} empty={null} />;
  }
  if (isNarrow) {
    return <CardList {...props} empty={<NoRows {...props} />} />;
  }
  const shared = { table, isMobile };
  return list.pending ? (
    <Rows {...skeletonOf(props, columns, SKELETON.rows)} {...shared} />
  ) : (
    <Rows {...props} {...shared} />
  );
}
