/** Shows the rows of a table as cards with the same actions, on screens too narrow for a table. */
import { Checkbox } from "antd";
import type { MouseEvent, ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListTableProps } from "./list-table.ts";
import type { Key } from "./selection.ts";

interface CardListProps<Row> extends ListTableProps<Row> {
  empty: ReactNode;
}

export function CardList<Row>(props: CardListProps<Row>) {
  const { label, list, keyOf, markedKey = null, empty } = props;
  const [opened, setOpened] = useState<Key | null>(null);
  if (list.rows.length === 0) {
    return <>{empty}</>;
  }
  return (
    <>
      <PageTick {...props} />
      <ul
        className={list.stale ? "k-cards k-stale" : "k-cards"}
        aria-label={label}
        aria-busy={list.fetching}
      >
        {list.rows.map((row) => {
          const key = keyOf(row);
          return (
            <li key={key} className={key === markedKey ? "k-card k-marked" : "k-card"}>
              <Card
                {...props}
                row={row}
                open={opened === key}
                onToggle={() => setOpened(opened === key ? null : key)}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

function PageTick<Row>({ list, selection, keyOf }: ListTableProps<Row>) {
  const { t } = useTranslation("ui");
  if (selection === undefined) {
    return null;
  }
  const rows = list.rows.filter((row) => selection.mayTick?.(row) !== false);
  const ticked = rows.filter((row) => selection.has(keyOf(row))).length;
  const all = ticked === rows.length;
  return (
    <Checkbox
      className="k-page-tick"
      checked={all && ticked > 0}
      disabled={rows.length === 0}
      indeterminate={ticked > 0 && !all}
      onChange={() => (all ? selection.mark([], rows) : selection.mark(rows, []))}
    >
      {t("select_page")}
    </Checkbox>
  );
}

interface ExpanderProps {
  open: boolean;
  name: string;
  onToggle: (event: MouseEvent<HTMLElement>) => void;
}

export function Expander({ open, name, onToggle }: ExpanderProps) {
  const { t } = useTranslation("ui");
  return (
    <button
      type="button"
      className={open ? "k-expander k-expanded" : "k-expander"}
      aria-expanded={open}
      aria-label={t(open ? "collapse_row" : "expand_row", { name })}
      onClick={onToggle}
    />
  );
}

interface CardProps<Row> extends ListTableProps<Row> {
  row: Row;
  open: boolean;
  onToggle: () => void;
}

function Card<Row>(props: CardProps<Row>) {
  const { row, columns, selection, keyOf, nameOf, expand, open, onToggle } = props;
  const { t } = useTranslation("ui");
  const name = nameOf(row);
  const heading = columns.find((column) => column.rowHeader === true);
  const actions = columns.find((column) => column.actions === true);
  const fields = columns.filter((column) => column !== heading && column !== actions);
  return (
    <>
      <div className="k-card-head">
        {selection !== undefined && (
          <Checkbox
            checked={selection.has(keyOf(row))}
            disabled={selection.mayTick?.(row) === false}
            aria-label={t("select_row", { name })}
            onChange={(event) =>
              event.target.checked ? selection.mark([row], []) : selection.mark([], [row])
            }
          />
        )}
        <div className="k-card-title">{heading?.render(row)}</div>
        {expand !== undefined && <Expander open={open} name={name} onToggle={onToggle} />}
      </div>
      <dl>
        {fields.map((column) => (
          <div key={column.key}>
            <dt>{column.title}</dt>
            <dd>{column.render(row)}</dd>
          </div>
        ))}
      </dl>
      {open && expand?.(row)}
      {actions !== undefined && <div className="k-card-foot">{actions.render(row)}</div>}
    </>
  );
}
