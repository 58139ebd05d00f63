import type { ReactNode } from "react";
import { ListPanel } from "./list-panel.tsx";
import type { ListPanelProps } from "./list-panel.tsx";
import { Page } from "./page.tsx";

interface QueryPageProps<Row> extends Omit<ListPanelProps<Row>, "name"> {
  title: string;
  form?: ReactNode;
  above?: ReactNode;
  children?: ReactNode;
}

export function QueryPage<Row extends object>(props: QueryPageProps<Row>) {
  const { title, form, above, children, ...rest } = props;
  return (
    <Page title={title} refresh={rest.list.retry}>
      {form}
      {above}
      <ListPanel {...rest} name={title} />
      {children}
    </Page>
  );
}
