import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { OpenSession } from "@red/contract/identity/operators";
import type { Change } from "#lib/api.ts";
import { Moment } from "#ui/cells.tsx";
import { column, momentColumn } from "#ui/columns.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { NOTHING } from "#ui/format.ts";
import type { ListState } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { RowActions } from "#ui/row-actions.tsx";
import type { Acts } from "./operator-acts.tsx";

interface SessionListProps {
  list: ListState<OpenSession>;
  name: string;
  acts: Acts;
  /** Ends a session by its id. Null ends all sessions except the session of the caller. */
  end: (id: number | null) => Change;
}

export function SessionList({ list, name, acts, end }: SessionListProps) {
  const { t } = useTranslation(["operator", "ui"]);
  const others = list.rows.filter(({ current }) => !current);
  const verb = others.length < list.rows.length ? "end_others" : "end_all";
  const columns: readonly Column<OpenSession>[] = [
    { ...momentColumn("created_at", t("opened"), 170), rowHeader: true },
    column("seen_at", t("used"), 170, ({ seen_at, current }) =>
      current ? t("this_session") : <Moment value={seen_at} />,
    ),
    column("address", t("address"), 140, ({ address }) => address ?? NOTHING),
    column(
      "actions",
      t("ui:actions"),
      { width: 80, actions: true },
      ({ id, current, created_at }) => {
        const label = t("of", { what: t("end_session"), name: created_at });
        const action = { text: t("end_session"), label, disabled: current };
        const of = { verb: "end_session", name, at: created_at } as const;
        const onClick = () => void acts.confirmed(of, end(id));
        return <RowActions actions={[{ ...action, onClick }]} />;
      },
    ),
  ];
  return (
    <div className="o-stack">
      <DataTable
        label={t("sessions")}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ created_at }) => created_at}
      />
      <Button
        danger
        disabled={others.length === 0}
        onClick={() => void acts.confirmed({ verb, name }, end(null))}
      >
        {t(verb)}
      </Button>
    </div>
  );
}
