/** Shows the changes of one object (behaviour §9), in a tab of the player view and in a dialog on any page. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AUDITED, auditRoutes } from "@red/contract/evidence/audit";
import type { Audited } from "@red/contract/evidence/audit";
import { PAGE_SIZE_DEFAULT } from "@red/contract/platform/limits";
import { listQueryOf } from "#lib/query.ts";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import { AuditDetails, useAuditColumns, useAuditWords } from "./audit-rows.tsx";

interface ObjectProps {
  type: Audited;
  /** The account of a player, or the number of another object. */
  id: string;
}

export function ObjectChanges({ type, id }: ObjectProps) {
  const { t } = useTranslation(["audit", "ui"]);
  const words = useAuditWords();
  const all = useAuditColumns();
  const [paging, setPaging] = useState({ page: 1, size: PAGE_SIZE_DEFAULT });
  const object = { object_type: type, object_id: id };
  const list = useList(listQueryOf(auditRoutes.list, { query: { ...object, ...paging } }));
  // Hide columns that repeat one value. For a player or a pool, rows may also belong to its parts or to an approval.
  const isMixed =
    type === "player" || type === "pool" || list.rows.some((row) => row.object_type === "approval");
  const isDone = list.rows.every(({ outcome }) => outcome === "done");
  const columns = all.filter(
    ({ key }) => !(key === "object" ? !isMixed : key === "outcome" && isDone),
  );
  const label = t("ui:changes");
  return (
    <ListPanel
      id="changes"
      label={label}
      tools={
        <Link className="k-link" to="/activity_manage/audit" search={{ ...object, actors: "all" }}>
          {t("all_filters")}
        </Link>
      }
      list={list}
      columns={columns}
      keyOf={(row) => row.id}
      nameOf={({ at, action }) => `${at} ${words.action(action)}`}
      expand={(row) => <AuditDetails row={row} />}
      paging={{ ...paging, total: list.total, of: label, onChange: setPaging }}
    />
  );
}

interface ChangesDialogProps {
  /** Type and id as in the address: `prize:7`. */
  of: string;
  onClose: () => void;
}

export function ChangesDialog({ of, onClose }: ChangesDialogProps) {
  const { t } = useTranslation("audit");
  const words = useAuditWords();
  const [kind = "", id = ""] = of.split(/:(.*)/s);
  const type = AUDITED.find((one) => one === kind);
  const first = { object_type: kind, object_id: id, page: 1, size: PAGE_SIZE_DEFAULT };
  const { rows } = useList({
    ...listQueryOf(auditRoutes.list, { query: first }),
    enabled: type !== undefined,
  });
  const own = rows.find((row) => row.object_type === kind && row.object_id === id);
  return type === undefined || id === "" ? null : (
    <LargeDialog
      title={t("history", { name: own ? words.object(own) : `${words.type(type)} ${id}` })}
      width={DIALOG_WIDTH.editor}
      footer={null}
      onCancel={onClose}
    >
      <ObjectChanges key={of} type={type} id={id} />
    </LargeDialog>
  );
}
