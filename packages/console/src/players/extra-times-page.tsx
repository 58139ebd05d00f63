/** Page of the extra times (spec §2): grants and lists extra times, and counts the unused ones of an account. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { ExtraTime } from "@red/contract/players/extra-times";
import type { Data } from "@red/contract/platform/route";
import { APPLY } from "@red/contract/platform/codes";
import { mayBeIn, useAddressed } from "#forms/addressed.ts";
import { useAct } from "#forms/act.ts";
import { FilterPage } from "#forms/filter-page.tsx";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { changeBy } from "#lib/api.ts";
import { listQueryOf, queryOf, refresh } from "#lib/query.ts";
import { useListSearch, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { accountColumn } from "./account-button.tsx";
import { ApplyStatus, EXTRA_TIME_LISTS } from "./extra-time-fields.tsx";
import { useTags } from "#rounds/activity-query.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { permissionProps } from "#lib/permission-props.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { momentColumn } from "#ui/columns.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import type { QueryField } from "#ui/query-field.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { useToast } from "#ui/toast.tsx";
import { AddForm } from "./add-form.tsx";
import { EXTRA_TIMES_SEARCH } from "./search.ts";
import "./extra-times.css";

const GrantDialog = lazyPart(
  async () => (await import("./grant-dialog.tsx")).GrantDialog,
  LoadFailedDialog,
);

type Batch = Data<typeof extraTimesRoutes.list>["batch"] | undefined;

/** Loads the figures of a batch, whatever account the filter names. */
function useBatch(batch_id: string | undefined): Batch {
  const query = { batch_id, size: 1 };
  const { data } = useQuery({
    ...queryOf(extraTimesRoutes.list, { query }),
    enabled: batch_id !== undefined,
  });
  return data?.batch;
}

function BatchFigures({ batch_id, batch }: { batch_id: string; batch: Batch }) {
  const { t } = useTranslation("extra_times");
  const text = (count: number | undefined) => (count === undefined ? NOTHING : grouped(count));
  return (
    <div className="k-totals">
      <dl aria-label={`${t("batch")} #${batch_id}`}>
        <Figure term={t("batch")}>{`#${batch_id}`}</Figure>
        <Figure term={t("batch_unused")}>{text(batch?.unused)}</Figure>
        <Figure term={t("batch_used")}>{text(batch?.used)}</Figure>
        <Figure term={t("gone")}>{text(batch?.taken_back)}</Figure>
      </dl>
    </div>
  );
}

interface TakeBackDialogProps {
  of: { readonly id: number } | { readonly batch_id: string };
  /** The account or the batch, as shown in the title. */
  name: string;
  batch?: Batch;
  onClose: () => void;
}

/** Takes back one unused extra time, or all unused extra times of a batch (behaviour §3). */
function TakeBackDialog({ of, name, batch, onClose }: TakeBackDialogProps) {
  const { t } = useTranslation("extra_times");
  const { send } = useAct(...EXTRA_TIME_LISTS);
  return (
    <ReasonDialog
      title={"id" in of ? t("take_back_single", { name }) : t("take_back_many", { batch: name })}
      okText={t("take_back")}
      draftKey={`extra_times:take_back:${name}:${"id" in of ? of.id : ""}`}
      onSubmit={(reason, close) =>
        send(changeBy(extraTimesRoutes.takeBack, { body: { ...of, reason } }), {
          text: ({ taken_back, used }) =>
            t("taken_back", { taken: grouped(taken_back), used: grouped(used) }),
          close,
        })
      }
      onClose={onClose}
    >
      {"batch_id" in of && (
        <p role="status">
          {batch &&
            t("take_back_counts", { unused: grouped(batch.unused), used: grouped(batch.used) })}
        </p>
      )}
      <p>{t("id" in of ? "take_back_hint" : "take_back_hint_many")}</p>
    </ReasonDialog>
  );
}

function useColumns(
  onBatch: (batch_id: string) => void,
  onTakeBack: (row: ExtraTime) => void,
): readonly Column<ExtraTime>[] {
  const { t } = useTranslation(["extra_times", "fields", "ui"]);
  const mayGrant = useMay("player.grant");
  const { labels, loading } = useTags();
  return [
    accountColumn(t("fields:user_name"), 180),
    {
      key: "tag",
      title: t("tag"),
      width: 180,
      render: ({ tag }) => labels[tag] ?? (loading ? "" : tag),
    },
    {
      key: "apply",
      title: t("ui:state"),
      width: 120,
      render: (row) => <ApplyStatus {...row} />,
    },
    momentColumn("expire_time", t("fields:expire_time"), 180),
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
        const action = { text: t("take_back"), label, ...permissionProps(mayGrant) };
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
  const { t } = useTranslation(["extra_times", "fields"]);
  const { data } = useQuery(queryOf(extraTimesRoutes.total, { query: { user_name } }));
  return (
    <div className="k-totals">
      <dl aria-label={t("left_of", { name: user_name })}>
        <div>
          <dt>{t("fields:user_name")}</dt>
          <dd>{user_name}</dd>
        </div>
        <Figure term={t("left_times")}>
          {data === undefined ? NOTHING : grouped(data.left_times)}
        </Figure>
      </dl>
    </div>
  );
}

export function ExtraTimesPage() {
  const { t } = useTranslation(["extra_times", "app", "contract", "fields"]);
  const toast = useToast();
  const mayGrant = useMay("player.grant");
  const address = useListSearch(EXTRA_TIMES_SEARCH);
  const [{ grant, take }, setSearch] = usePageSearch(EXTRA_TIMES_SEARCH.others);
  const { user_name, batch_id } = address.filter;
  const batch = useBatch(batch_id);
  const list = useList(
    listQueryOf(extraTimesRoutes.list, {
      query: { ...address.filter, ...address.paging, with_taken_back: 1 },
    }),
  );
  const refetch = () => void refresh(extraTimesRoutes.list, extraTimesRoutes.total);
  const columns = useColumns(
    (batch) => address.query({ user_name: undefined, batch_id: batch }, refetch),
    ({ id }) => setSearch({ take: String(id) }),
  );
  const taken = list.lastRows.find(({ id }) => String(id) === take);
  const fields: readonly QueryField[] = [
    { kind: "text", name: "user_name", label: t("fields:user_name") },
    { kind: "digits", name: "batch_id", label: t("batch") },
  ];
  const closeTaking = () => setSearch({ take: undefined }, { replace: true });
  const closeGranting = () => setSearch({ grant: undefined }, { replace: true });
  const mayTake = take === "batch" ? batch_id !== undefined : mayBeIn(list, taken);
  useAddressed(take !== undefined, mayGrant && mayTake, closeTaking);
  useAddressed(grant !== undefined, mayGrant, closeGranting);
  return (
    <FilterPage
      id="extra_times"
      title={t("app:activity_add_num")}
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
            <Button
              danger
              {...permissionProps(mayGrant, batch?.unused === 0)}
              onClick={() => setSearch({ take: "batch" })}
            >
              {t("take_back_batch")}
            </Button>
          )}
          <Button {...permissionProps(mayGrant)} onClick={() => setSearch({ grant: "1" })}>
            {t("grant")}
          </Button>
        </>
      }
      summary={
        <>
          {user_name !== undefined && <LeftTimes user_name={user_name} />}
          {batch_id !== undefined && <BatchFigures batch_id={batch_id} batch={batch} />}
        </>
      }
      list={{ ...list, retry: refetch }}
      label={t("list")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={(row) => row.user_name}
    >
      {mayGrant && grant !== undefined && <GrantDialog onClose={closeGranting} />}
      {mayGrant && taken !== undefined && (
        <TakeBackDialog of={{ id: taken.id }} name={taken.user_name} onClose={closeTaking} />
      )}
      {mayGrant && take === "batch" && batch_id !== undefined && (
        <TakeBackDialog
          of={{ batch_id }}
          name={`#${batch_id}`}
          batch={batch}
          onClose={closeTaking}
        />
      )}
    </FilterPage>
  );
}
