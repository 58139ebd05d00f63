/** Page of the players who are excluded from draws (behaviour §3): searches, adds and ends exclusions. */
import { CheckCircleOutlined, StopOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import type { Exclusion } from "@red/contract/players/exclusion";
import { EXCLUSION_KINDS } from "@red/contract/platform/codes";
import { mayBeIn, useAddressed } from "#forms/addressed.ts";
import { FilterPage } from "#forms/filter-page.tsx";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { accountColumn } from "./account-button.tsx";
import { ExcludeDialog } from "./exclude-dialog.tsx";
import { LiftDialog } from "./lift-dialog.tsx";
import { permissionProps } from "#lib/permission-props.ts";
import { Moment, Name, Status } from "#ui/cells.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { EXCLUSION_SEARCH } from "./search.ts";

function useColumns(onLift: (row: Exclusion) => void): readonly Column<Exclusion>[] {
  const { t } = useTranslation(["exclusion", "fields", "lookups", "ui"]);
  const mayExclude = useMay("player.exclude");
  return [
    accountColumn(t("fields:user_name"), 160),
    {
      key: "kind",
      title: t("fields:kind"),
      width: 100,
      render: ({ kind }) => t(`lookups:exclusion_${kind}`),
    },
    {
      key: "state",
      title: t("ui:state"),
      width: 100,
      render: ({ in_force, lifted_at }) => (
        <Status
          tone={in_force ? "danger" : "neutral"}
          icon={in_force ? <StopOutlined /> : <CheckCircleOutlined />}
        >
          {t(in_force ? "in_force" : lifted_at === null ? "ended" : "lifted")}
        </Status>
      ),
    },
    {
      key: "until",
      title: t("fields:until"),
      width: 110,
      render: ({ until }) => (until === null ? t("endless") : <Moment value={until} />),
    },
    {
      key: "reason",
      title: t("fields:reason"),
      width: 200,
      render: ({ reason, lift_reason }) => (
        <div className="k-two-lines">
          <Name value={reason} />
          {lift_reason !== null && <span className="k-note">{lift_reason}</span>}
        </div>
      ),
    },
    {
      key: "made",
      title: t("made"),
      width: 150,
      render: ({ made_by, made_at, lifted_by, lifted_at, source }) => (
        <div className="k-two-lines">
          <span>{source === "file" ? `${made_by} (${t("from_file")})` : made_by}</span>
          <span className="k-note k-time">{made_at}</span>
          {lifted_by !== null && lifted_at !== null && (
            <span className="k-note">{t("lifted_by", { by: lifted_by, at: lifted_at })}</span>
          )}
        </div>
      ),
    },
    {
      key: "actions",
      title: t("ui:actions"),
      width: 80,
      actions: true,
      render: (row) => {
        const label = t("lift_label", { name: row.user_name });
        const action = { text: t("lift"), label, ...permissionProps(mayExclude) };
        return row.in_force && <RowActions actions={[{ ...action, onClick: () => onLift(row) }]} />;
      },
    },
  ];
}

export function ExclusionPage() {
  const { t } = useTranslation(["exclusion", "app", "fields", "lookups", "ui"]);
  const mayExclude = useMay("player.exclude");
  const address = useListSearch(EXCLUSION_SEARCH);
  const [others, setSearch] = usePageSearch(EXCLUSION_SEARCH.others);
  const input = exclusionRoutes.list.query.parse({ ...address.filter, ...address.paging });
  const list = useList(listQueryOf(exclusionRoutes.list, { query: input }));
  const columns = useColumns(({ id }) => setSearch({ lift: String(id) }));
  const fields: readonly QueryField[] = [
    { kind: "text", name: "user_name", label: t("fields:user_name") },
    selectField("kind", t("fields:kind"), EXCLUSION_KINDS, (kind) =>
      t(`lookups:exclusion_${kind}`),
    ),
    selectField("state", t("ui:state"), ["in_force", "ended"], (state) => t(state)),
  ];
  const lifted = list.lastRows.find(({ id }) => String(id) === others.lift);
  const close = () => setSearch({ new: undefined, lift: undefined }, { replace: true });
  const mayLift = others.lift === undefined || mayBeIn(list, lifted);
  const isNamed = others.new !== undefined || others.lift !== undefined;
  useAddressed(isNamed, mayExclude && mayLift, close);
  return (
    <FilterPage
      id="exclusions"
      title={t("app:activity_exclusion")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={exclusionRoutes.list.query}
      tools={
        <Button
          type="primary"
          {...permissionProps(mayExclude)}
          onClick={() => setSearch({ new: "1" })}
        >
          {t("add")}
        </Button>
      }
      list={list}
      label={t("list")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ user_name }) => user_name}
    >
      {mayExclude && others.new !== undefined && <ExcludeDialog onClose={close} />}
      {mayExclude && lifted !== undefined && <LiftDialog exclusion={lifted} onClose={close} />}
    </FilterPage>
  );
}
