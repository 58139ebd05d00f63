/** The skeleton of every list page, top to bottom: title, filters, and the list. */
import type { ReactNode } from "react";
import { ListPanel } from "./list-panel.tsx";
import type { ListPaging, ListPanelProps } from "./list-panel.tsx";
import { Page } from "./page.tsx";

interface QueryPageProps<Row> extends Omit<ListPanelProps<Row>, "name"> {
  title: string;
  form?: ReactNode;
  /** What belongs between title and list, for example tabs. */
  above?: ReactNode;
  /** Dialogs of the page. */
  children?: ReactNode;
}

export function QueryPage<Row extends object>(props: QueryPageProps<Row>) {
  const { title, form, above, children, paging, ...rest } = props;
  const { list } = rest;
  return (
    <Page
      title={title}
      keys={{
        refresh: list.retry,
        turn: paging && ((by) => turnBy(paging, by)),
        stop: list.fetching ? list.cancel : undefined,
      }}
    >
      {form}
      {above}
      <ListPanel {...rest} name={title} {...(paging !== undefined && { paging })} />
      {children}
    </Page>
  );
}

function turnBy({ page, size, total, onChange }: ListPaging, by: 1 | -1): void {
  const next = page + by;
  if (next >= 1 && next <= Math.ceil(total / size)) {
    onChange({ page: next, size });
  }
}
