/** Columns that many lists have. Each is named by the field that it shows. */
import { Code, Count, Moment, Money } from "./cells.tsx";
import type { Column } from "./list-table.ts";

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
