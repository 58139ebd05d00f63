/** A pool's versions: who made each, when, and what it changed; one click makes a former one the next (behaviour §3). */
import { CheckCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import { poolRoutes } from "@red/contract/pool";
import type { Pool, PoolVersion } from "@red/contract/pool";
import { LargeDialog } from "#forms/large-dialog.tsx";
import { useRiskConfirm } from "#forms/risk-confirm.tsx";
import { SavingNote, useSaving } from "#forms/saving.tsx";
import { call, settled } from "#lib/api.ts";
import { listQueryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { Status } from "#ui/cells.tsx";
import { momentColumn } from "#ui/columns.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { grouped, NOTHING } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { Pager } from "#ui/pager.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { useToast } from "#ui/toast.tsx";
import { refreshPrizes } from "./refresh-prizes.ts";

type Change = PoolVersion["changes"][number];
type Field = Change["fields"][number];

const LINES_SHOWN = 6;

interface ChangesProps {
  version: PoolVersion;
  /** The version before, if it is on the same page: without it, only the fields are named. */
  former: PoolVersion | undefined;
}

function Changes({ version: { changes, prizes }, former }: ChangesProps) {
  const { t } = useTranslation(["prize", "ui"]);
  const valueOf = (prize: PoolVersion["prizes"][number], field: Field) =>
    field === "floors"
      ? t(prize.floors === 1 ? "ui:yes" : "ui:no")
      : field === "award_name"
        ? prize.award_name
        : grouped(prize[field]);
  const lineOf = ({ change, award_name: name, fields }: Change) => {
    const after = prizes.find((prize) => prize.award_name === name);
    const before = former?.prizes.find((prize) => prize.id === after?.id);
    const list = fields.map((field) =>
      after && before
        ? `${t(field)} ${valueOf(before, field)} → ${valueOf(after, field)}`
        : t(field),
    );
    return t(`version_${change}`, { name, fields: list.join(t("effect_and")) });
  };
  const more = changes.length - LINES_SHOWN;
  return (
    <>
      {changes.slice(0, LINES_SHOWN).map((change) => (
        <div key={`${change.change} ${change.award_name}`}>{lineOf(change)}</div>
      ))}
      {more > 0 && <div className="k-note">{t("change_more", { count: more, prizes: more })}</div>}
    </>
  );
}

export function PoolVersions({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const { t } = useTranslation(["prize", "ui"]);
  const toast = useToast();
  const mayWrite = useMay("pool.write");
  const { busy, run, close, leave } = useSaving(onClose);
  const { confirmed, question } = useRiskConfirm();
  const [page, setPage] = useState(1);
  const input = { params: { id: pool.id }, query: { page, size: PAGE_SIZE_DEFAULT } };
  const list = useList(listQueryOf(poolRoutes.versions, input));
  /** Versions are counted from 1. */
  const current = list.total;
  const restore = async (version: number) => {
    const restored = await settled(
      confirmed((code) =>
        run(() =>
          call(poolRoutes.restore, {
            params: { id: pool.id },
            body: { version, current, ...code },
          }),
        ),
      ),
    );
    if (restored.ok) {
      const next = restored.data.version;
      toast.success(t(next === current ? "version_same" : "version_restored", { version, next }));
      close();
    }
    await refreshPrizes();
  };
  const columns: readonly Column<PoolVersion>[] = [
    {
      key: "version",
      title: t("version"),
      width: 56,
      rowHeader: true,
      render: ({ version }) => <span className="k-num">{version}</span>,
    },
    {
      key: "changes",
      title: t("version_changes"),
      width: 280,
      render: (version) => (
        <Changes version={version} former={list.rows[list.rows.indexOf(version) + 1]} />
      ),
    },
    {
      key: "saved_by",
      title: t("version_by"),
      width: 96,
      render: ({ saved_by }) => saved_by ?? NOTHING,
    },
    momentColumn("saved_at", t("version_at"), 96),
    {
      key: "actions",
      title: t("actions"),
      width: 120,
      actions: true,
      render: ({ version }) =>
        version === current ? (
          <Status tone="success" icon={<CheckCircleOutlined />}>
            {t("version_current")}
          </Status>
        ) : (
          <RowActions
            actions={[
              {
                text: t("version_restore"),
                label: t("version_restore_label", { version }),
                disabled: !mayWrite || busy || list.fetching,
                onClick: () => void restore(version),
              },
            ]}
          />
        ),
    },
  ];
  const title = t("versions_of", { name: pool.pool_name });
  return (
    <LargeDialog
      title={title}
      width={DIALOG_WIDTH.table}
      onCancel={() => void leave()}
      footer={
        <>
          <SavingNote busy={busy} />
          <Button onClick={() => void leave()}>{t("ui:close")}</Button>
        </>
      }
    >
      <p className="k-note">{t("versions_note")}</p>
      <DataTable
        label={title}
        columns={columns}
        list={list}
        keyOf={({ version }) => version}
        nameOf={({ version }) => String(version)}
      />
      {list.total > PAGE_SIZE_DEFAULT && (
        <Pager
          of={title}
          page={page}
          size={PAGE_SIZE_DEFAULT}
          sizes={[PAGE_SIZE_DEFAULT]}
          total={list.total}
          onChange={(next) => setPage(next.page)}
        />
      )}
      {question}
    </LargeDialog>
  );
}
