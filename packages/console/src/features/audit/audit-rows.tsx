/** Rows of the audit log: columns, and what a row changed in the words of the forms. */
import { useTranslation } from "react-i18next";
import type { AuditRow } from "@red/contract/audit";
import { AUDIT_ACTS } from "@red/contract/audit-acts";
import { addTexts, useLanguage } from "#lib/language.ts";
import { Name } from "#ui/cells.tsx";
import { momentColumn } from "#ui/columns.tsx";
import { NOTHING } from "#ui/format.ts";
import type { Column } from "#ui/list-table.ts";
import { AUDIT_TEXTS } from "./audit-texts.ts";
import { fieldWord, valueWord } from "./audit-words.ts";
import { differencesOf } from "./differences.ts";

addTexts("audit", AUDIT_TEXTS);

type Act = Pick<AuditRow, "action" | "object_id" | "object_name">;

/** Words for actions and kinds of objects; unknown ones under their own name. */
export function useAuditWords() {
  const { t, i18n } = useTranslation(["audit", "fields"]);
  const language = useLanguage();
  const wordsOf = (action: string) =>
    AUDIT_ACTS.find((act) => act.action === action)?.[language] ?? action;
  const known = (key: string, name: string) =>
    // Exists, as just asked.
    i18n.exists(key, { ns: "audit" }) ? t(key as "type_pool") : name;
  return {
    action: wordsOf,
    /** The action, and upon what. */
    act: ({ action, object_id, object_name }: Act) =>
      `${wordsOf(action)} ${object_name ?? object_id ?? ""}`.trim(),
    type: (type: string) => known(`type_${type}`, type),
    field: (field: string) => fieldWord(field, language) ?? known(`fields:${field}`, field),
  };
}

type Changed = Pick<AuditRow, "before" | "after">;

/** What a row changed, field by field. */
function useChanges() {
  const words = useAuditWords();
  const language = useLanguage();
  return ({ before, after }: Changed) =>
    differencesOf(before, after).map(({ of, field, was, is }) => {
      // What is new was nothing before.
      const sides = before === null ? [is] : [was, is];
      const shown = sides.map((one) => (one === null ? NOTHING : valueWord(field, one, language)));
      const change = `${words.field(field)} ${shown.join(" → ")}`;
      return of === null ? change : `${of} ${change}`;
    });
}

export function useAuditColumns(): readonly Column<AuditRow>[] {
  const { t } = useTranslation(["audit", "ui"]);
  const words = useAuditWords();
  const changesOf = useChanges();
  return [
    { ...momentColumn("at", t("ui:time"), 170), rowHeader: true },
    {
      key: "actor",
      title: t("actor"),
      width: 160,
      render: ({ actor, actor_kind }) => (
        <Name value={actor_kind === "operator" ? actor : `${actor} (${t(`kind_${actor_kind}`)})`} />
      ),
    },
    { key: "action", title: t("action"), width: 140, render: ({ action }) => words.action(action) },
    {
      key: "object",
      title: t("object"),
      width: 200,
      render: ({ object_type, object_id, object_name }) => (
        <Name value={`${words.type(object_type)} ${object_name ?? object_id ?? ""}`.trim()} />
      ),
    },
    {
      key: "outcome",
      title: t("outcome"),
      width: 90,
      render: ({ outcome }) => t(`outcome_${outcome}`),
    },
    {
      key: "changes",
      title: t("changes"),
      width: 320,
      render: (row) => <Name value={changesOf(row).join("; ")} />,
    },
  ];
}

/** What changed, a line for each field. */
export function Differences(row: Changed) {
  const { t } = useTranslation("audit");
  const changes = useChanges()(row);
  return (
    <>
      {changes.map((change) => (
        <p key={change}>{change}</p>
      ))}
      {changes.length === 0 && <p className="k-note">{t("no_details")}</p>}
    </>
  );
}

export function AuditDetails({ row }: { row: AuditRow }) {
  const { t } = useTranslation("audit");
  return (
    <div className="k-two-lines">
      <Differences {...row} />
      <p className="k-note">
        {`${t("request")} ${row.request_id ?? NOTHING} · ${t("address")} ${row.address ?? NOTHING}`}
      </p>
    </div>
  );
}
