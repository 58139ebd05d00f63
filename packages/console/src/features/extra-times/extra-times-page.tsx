/** Extra times (spec §2): add one, add many, look up an account and what it has left. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { APPLY } from "@red/contract/lookups";
import type { ExtraTime } from "@red/contract/extra-times";
import { AccountButton } from "#players/account-button.tsx";
import { ApplyStatus, useTags } from "#players/extra-time-fields.tsx";
import { FilterPage } from "#forms/filter-page.tsx";
import { listQueryOf, queryOf, refresh } from "#lib/query.ts";
import { useListSearch, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { Moment } from "#ui/cells.tsx";
import type { Column } from "#ui/list-table.ts";
import { NOTHING, grouped } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { QueryField } from "#ui/query-field.tsx";
import { useToast } from "#ui/toast.tsx";
import { AddForm } from "./add-form.tsx";
import { EXTRA_TIMES_SEARCH } from "./extra-times-search.ts";
import { RowActions } from "#ui/row-actions.tsx";
import { GrantDialog } from "./grant-dialog.tsx";
import { TakeBackDialog } from "./take-back-dialog.tsx";
import "./extra-times.css";

function useColumns(
  onBatch: (batch_id: string) => void,
  onTakeBack: (row: ExtraTime) => void,
): readonly Column<ExtraTime>[] {
  const { t } = useTranslation("extra_times");
  const mayGrant = useMay("player.grant");
  const { labels, loading } = useTags();
  return [
    {
      key: "user_name",
      title: t("user_name"),
      width: 180,
      rowHeader: true,
      render: ({ user_name }) => <AccountButton name={user_name} />,
    },
    {
      key: "tag",
      title: t("tag"),
      width: 180,
      render: ({ tag }) => labels[tag] ?? (loading ? "" : tag),
    },
    {
      key: "apply",
      title: t("apply"),
      width: 120,
      render: ({ apply }) => <ApplyStatus apply={apply} />,
    },
    {
      key: "expire_time",
      title: t("expire_time"),
      width: 180,
      render: ({ expire_time }) => <Moment value={expire_time} />,
    },
    {
      key: "batch",
      title: t("batch"),
      width: 90,
      render: ({ batch_id: batch }) =>
        batch !== null && (
          <button
            type="button"
            className="k-link k-num"
            aria-label={t("batch_label", { batch })}
            onClick={() => onBatch(String(batch))}
          >
            {`#${batch}`}
          </button>
        ),
    },
    {
      key: "actions",
      title: t("take_back"),
      width: 90,
      actions: true,
      render: (row) => {
        const label = t("take_back_label", { name: row.user_name });
        const action = { text: t("take_back"), label, disabled: !mayGrant };
        return (
          row.apply === APPLY.unused && (
            <RowActions actions={[{ ...action, onClick: () => onTakeBack(row) }]} />
          )
        );
      },
    },
  ];
}

function LeftTimes({ user_name }: { user_name: string }) {
  const { t } = useTranslation("extra_times");
  const { data } = useQuery(queryOf(extraTimesRoutes.total, { query: { user_name } }));
  return (
    <div className="k-totals">
      <dl aria-label={t("left_of", { name: user_name })}>
        <div>
          <dt>{t("user_name")}</dt>
          <dd>{user_name}</dd>
        </div>
        <div>
          <dt>{t("left_times")}</dt>
          <dd className="k-num">{data === undefined ? NOTHING : grouped(data.left_times)}</dd>
        </div>
      </dl>
    </div>
  );
}

export function ExtraTimesPage() {
  const { t } = useTranslation(["extra_times", "contract"]);
  const toast = useToast();
  const mayGrant = useMay("player.grant");
  const address = useListSearch(EXTRA_TIMES_SEARCH);
  const [{ grant, take }, setSearch] = usePageSearch(EXTRA_TIMES_SEARCH.others);
  const { user_name, batch_id } = address.filter;
  const list = useList(
    listQueryOf(extraTimesRoutes.list, { query: { ...address.filter, ...address.paging } }),
  );
  /* The total left is loaded with the list. */
  const refetch = () => void refresh(extraTimesRoutes.list, extraTimesRoutes.total);
  const columns = useColumns(
    (batch) => address.query({ user_name: undefined, batch_id: batch }, refetch),
    ({ id }) => setSearch({ take: String(id) }),
  );
  const taken = list.lastRows.find(({ id }) => String(id) === take);
  const fields: readonly QueryField[] = [
    { kind: "text", name: "user_name", label: t("user_name") },
    { kind: "digits", name: "batch_id", label: t("batch") },
  ];
  const closeTaking = () => setSearch({ take: undefined }, { replace: true });
  return (
    <FilterPage
      id="extra_times"
      title={t("title")}
      above={<AddForm />}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={extraTimesRoutes.list.query}
      formProps={{
        heading: t("search"),
        onQuery: (values) =>
          values["user_name"] === undefined && values["batch_id"] === undefined
            ? toast.warning(t("contract:enter_search_account"))
            : address.query(values, refetch),
      }}
      tools={
        <>
          {batch_id !== undefined && (
            <Button danger disabled={!mayGrant} onClick={() => setSearch({ take: "batch" })}>
              {t("take_back_batch")}
            </Button>
          )}
          <Button disabled={!mayGrant} onClick={() => setSearch({ grant: "1" })}>
            {t("grant")}
          </Button>
        </>
      }
      summary={user_name !== undefined && <LeftTimes user_name={user_name} />}
      list={{ ...list, retry: refetch }}
      label={t("list")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={(row) => row.user_name}
    >
      {mayGrant && grant !== undefined && (
        <GrantDialog onClose={() => setSearch({ grant: undefined }, { replace: true })} />
      )}
      {mayGrant && taken !== undefined && (
        <TakeBackDialog of={{ id: taken.id }} name={taken.user_name} onClose={closeTaking} />
      )}
      {mayGrant && take === "batch" && batch_id !== undefined && (
        <TakeBackDialog of={{ batch_id }} name={`#${batch_id}`} onClose={closeTaking} />
      )}
    </FilterPage>
  );
}
