/** Page with one list and its filter form. The filter values are stored in the address. */
import type { ComponentProps, ReactNode } from "react";
import type { ViewPage } from "@red/contract/evidence/audit-words";
import type * as z from "zod/mini";
import type { useListSearch } from "#lib/search.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import type { ListPanelProps } from "#ui/list-panel.tsx";
import { Page } from "#ui/page.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import { filterCheck } from "./check.ts";
import { SavedViews } from "./saved-views.tsx";

type FormProps = ComponentProps<typeof QueryForm>;

interface FilterPageProps<Row> extends Omit<
  ListPanelProps<Row>,
  "id" | "name" | "paging" | "onClearFilters"
> {
  id: ViewPage;
  title: string;
  address: ReturnType<typeof useListSearch<string>>;
  fields: FormProps["fields"];
  filterLabel: string;
  /** Query schema of the route that loads the list. */
  schema: z.ZodMiniType;
  /** Repeats the search with the values in the address. The default is `list.retry`. */
  refetch?: () => void;
  formProps?: Partial<FormProps>;
  above?: ReactNode;
  children?: ReactNode;
}

export function FilterPage<Row extends object>(props: FilterPageProps<Row>) {
  const { title, address, fields, filterLabel, schema, formProps, above, children, ...rest } =
    props;
  const { id, list, refetch = list.retry } = rest;
  const reset = () => address.reset(refetch);
  return (
    <Page title={title} refresh={list.retry}>
      {above}
      <QueryForm
        id={id}
        label={filterLabel}
        fields={fields}
        values={address.filter}
        check={filterCheck(schema, fields)}
        onQuery={(values) => address.query(values, refetch)}
        onReset={reset}
        extra={
          <SavedViews
            page={id}
            filter={address.filter}
            onChoose={(search) => address.openView(search, refetch)}
          />
        }
        {...formProps}
      />
      <ListPanel
        filtered={address.filtered}
        {...rest}
        name={title}
        paging={{ ...address.paging, total: list.total, onChange: address.turn }}
        onClearFilters={reset}
      />
      {children}
    </Page>
  );
}
