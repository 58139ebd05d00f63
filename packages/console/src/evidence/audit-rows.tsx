/** Columns of the audit log. Changes appear in the words of the forms. */
import { CheckCircleOutlined, StopOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { Approval } from "@red/contract/approvals/approval";
import type { AuditRow } from "@red/contract/evidence/audit";
import { fieldWord } from "@red/contract/evidence/audit-words";
import { addTexts, useLanguage } from "#lib/language.ts";
import { Name, Status } from "#ui/cells.tsx";
import { column, momentColumn } from "#ui/columns.tsx";
import { useTags } from "#rounds/activity-query.ts";
import { NOTHING } from "#ui/format.ts";
import type { Column } from "#ui/list-table.ts";
import { AUDIT_TEXTS } from "./audit-texts.ts";
import { valueWord } from "./audit-words.ts";
import { differencesOf } from "./differences.ts";
import "./audit.css";

addTexts("audit", AUDIT_TEXTS);

type Row = Omit<Approval["plan"][number], "about">;

/** Fields that contain the name of an object, for objects that do not exist yet or no longer exist. */
const NAMES = ["rounds_name", "award_name", "pool_name", "label", "view_name", "name", "user_name"];

/** Returns functions that describe actions and objects in words. Unknown names are shown unchanged. */
export function useAuditWords() {
  const { t } = useTranslation("audit");
  const language = useLanguage();
  const action = (name: string) => valueWord("action", name, language);
  const type = (name: string) => valueWord("object_type", name, language);
  const nameOf = ({ object_type, object_id, object_name, before, after }: Row) => {
    const fields = { ...before, ...after };
    const [first, ...more] = [fields["user_names"] ?? fields["log_ids"]].flat();
    if (typeof first === "string" || typeof first === "number") {
      return more.length === 0 ? first : `${first} +${more.length}`;
    }
    const named = NAMES.map((name) => fields[name]).find((one) => typeof one === "string");
    // The action already names its stop switch. An id with letters says more than a name in the fields.
    const id =
      object_type === "stop_switch" ? "" : valueWord(object_type, object_id ?? "", language);
    return object_name ?? (/\D/.test(id) ? id : (named ?? id));
  };
  return {
    action,
    type,
    act: (row: Row) => `${action(row.action)} ${nameOf(row)}`.trim(),
    object: (row: Row) => `${type(row.object_type)} ${nameOf(row)}`.trim(),
    actor: (by: string, kind: AuditRow["actor_kind"]) =>
      kind === "operator" ? by : t("by_kind", { by, kind: t(`kind_${kind}`) }),
  };
}

const OUTCOMES = {
  done: { tone: "neutral", icon: <CheckCircleOutlined /> },
  refused: { tone: "danger", icon: <StopOutlined /> },
} as const;

type Changed = Pick<AuditRow, "object_type" | "before" | "after">;

/** Describes the changes of a row, with one text per field. */
function useChanges() {
  const language = useLanguage();
  const { labels } = useTags();
  return ({ object_type, before, after }: Changed) =>
    differencesOf(before, after).map(({ of, field, was, is }) => {
      // Show only one value, without an arrow, for a new field or a field that the act did not change.
      const isOne = before === null || was === is || field === "refused";
      const sides = isOne ? [is ?? was] : [was, is];
      const shown = sides.map((one) => {
        const label = field === "tag" ? labels[String(one)] : undefined;
        return label ?? (one === null ? NOTHING : valueWord(field, one, language));
      });
      const word = fieldWord(`${object_type} ${field}`, language) ?? fieldWord(field, language);
      const change = `${word ?? field} ${shown.join(" → ")}`;
      return of === null ? change : `${of} ${change}`;
    });
}

export function useAuditColumns(): readonly Column<AuditRow>[] {
  const { t } = useTranslation(["audit", "ui"]);
  const words = useAuditWords();
  const changesOf = useChanges();
  return [
    { ...momentColumn("at", t("ui:time"), 150), rowHeader: true },
    column("actor", t("actor"), 130, ({ actor, actor_kind }) => (
      <Name value={words.actor(actor, actor_kind)} />
    )),
    column("action", t("action"), 120, ({ action }) => words.action(action)),
    column("object", t("object"), 160, (row) => <Name value={words.object(row)} />),
    column("outcome", t("outcome"), 100, ({ outcome }) => (
      <Status {...OUTCOMES[outcome]}>{t(`outcome_${outcome}`)}</Status>
    )),
    column("changes", t("changes"), 300, (row) => (
      <div className="u-changes">
        <Name value={changesOf(row).join("; ")} />
      </div>
    )),
  ];
}

export function Differences(row: Changed) {
  const { t } = useTranslation("audit");
  const changes = useChanges()(row);
  return (
    <>
      {[...changes.entries()].map(([at, change]) => (
        <p key={at}>{change}</p>
      ))}
      {changes.length === 0 && <p className="k-note">{t("no_details")}</p>}
    </>
  );
}

export function AuditDetails({ row }: { row: AuditRow }) {
  const { t } = useTranslation(["audit", "fields"]);
  return (
    <div className="k-two-lines">
      <Differences {...row} />
      {row.reason !== null && <p>{`${t("fields:reason")} ${row.reason}`}</p>}
      <p className="k-note">
        {`${t("request")} ${row.request_id ?? NOTHING} · ${t("address")} ${row.address ?? NOTHING}`}
      </p>
    </div>
  );
}
