/** Extra times (spec §2): add one, add many, look up an account and what it has left. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/extra-times";
import type { ExtraTime } from "@red/contract/extra-times";
import { AccountButton } from "#players/account-button.tsx";
import { ApplyStatus, useTags } from "#players/extra-time-fields.tsx";
import { filterCheck } from "#forms/check.ts";
import { listQueryOf, queryOf, refresh } from "#lib/query.ts";
import { useListSearch, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { Moment } from "#ui/cells.tsx";
import type { Column } from "#ui/list-table.ts";
import { NOTHING, grouped } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { QueryField } from "#ui/query-field.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import { QueryPage } from "#ui/query-page.tsx";
import { useToast } from "#ui/toast.tsx";
import { AddForm } from "./add-form.tsx";
import { EXTRA_TIMES_SEARCH } from "./extra-times-search.ts";
import { GrantDialog } from "./grant-dialog.tsx";
import "./extra-times.css";

function useColumns(): readonly Column<ExtraTime>[] {
  const { t } = useTranslation("extra_times");
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
  const { filter, filtered, paging, query, reset, turn } = useListSearch(EXTRA_TIMES_SEARCH);
  const [{ grant }, setSearch] = usePageSearch(EXTRA_TIMES_SEARCH.others);
  const { user_name } = filter;
  const list = useList(listQueryOf(extraTimesRoutes.list, { query: { ...filter, ...paging } }));
  const columns = useColumns();
  const fields: readonly QueryField[] = [
    { kind: "text", name: "user_name", label: t("user_name") },
  ];
  /* The total left is loaded with the list. */
  const refetch = () => void refresh(extraTimesRoutes.list, extraTimesRoutes.total);
  const clear = () => reset(refetch);
  return (
    <QueryPage
      id="extra_times"
      title={t("title")}
      form={
        <>
          <AddForm />
          <QueryForm
            id="extra_times"
            label={t("filter")}
            heading={t("search")}
            fields={fields}
            values={filter}
            check={filterCheck(extraTimesRoutes.list.query, fields)}
            onQuery={(values) =>
              values["user_name"] === undefined
                ? toast.warning(t("contract:enter_search_account"))
                : query(values, refetch)
            }
            onReset={clear}
          />
        </>
      }
      tools={
        <Button disabled={!mayGrant} onClick={() => setSearch({ grant: "1" })}>
          {t("grant")}
        </Button>
      }
      summary={user_name !== undefined && <LeftTimes user_name={user_name} />}
      list={{ ...list, retry: refetch }}
      paging={{ ...paging, total: list.total, onChange: turn }}
      label={t("list")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={(row) => row.user_name}
      filtered={filtered}
      onClearFilters={clear}
    >
      {mayGrant && grant !== undefined && (
        <GrantDialog onClose={() => setSearch({ grant: undefined }, { replace: true })} />
      )}
    </QueryPage>
  );
}
