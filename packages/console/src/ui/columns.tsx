/** Columns for lists. Columns that several lists use have the name of their field. */
import type { ReactNode } from "react";
import { Code, Count, Moment, Money } from "./cells.tsx";
import type { Column } from "./list-table.ts";

type Look = Pick<Column<never>, "width" | "align" | "fixed" | "rowHeader" | "actions">;

/** A number sets the width of the column. */
export function column<Row>(
  key: string,
  title: string,
  look: number | Look,
  render: (row: Row) => ReactNode,
): Column<Row> {
  return { key, title, ...(typeof look === "number" ? { width: look } : look), render };
}

type Of<K extends string, Value> = Column<Readonly<Record<K, Value>>>;

export function momentColumn<K extends string>(
  key: K,
  title: string,
  width: number,
): Of<K, string | null> {
  return { key, title, width, render: (row) => <Moment value={row[key]} /> };
}

export function moneyColumn<K extends string>(
  key: K,
  title: string,
  width: number,
): Of<K, string | null> {
  return { key, title, width, align: "right", render: (row) => <Money value={row[key]} /> };
}

export function countColumn<K extends string>(key: K, title: string, width: number): Of<K, number> {
  return { key, title, width, align: "right", render: (row) => <Count value={row[key]} /> };
}

export function codeColumn<K extends string>(key: K, title: string, width: number): Of<K, string> {
  return { key, title, width, render: (row) => <Code value={row[key]} /> };
}
