/** Page of the audit log: who did what, when and from where (docs/security.md). */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  auditFilter,
  auditRoutes,
  AUDIT_ACTORS,
  AUDIT_OUTCOMES,
  AUDITED,
} from "@red/contract/evidence/audit";
import { AUDIT_ACTS } from "@red/contract/evidence/audit-acts";
import { FilterPage } from "#forms/filter-page.tsx";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { listQueryOf, queryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { AuditDetails, useAuditColumns, useAuditWords } from "./audit-rows.tsx";
import { AUDIT_SEARCH } from "./search.ts";

const ACTIONS = [...new Set(AUDIT_ACTS.map(({ action }) => action))];
const TYPES = [...new Set([...AUDITED, ...AUDIT_ACTS.map(({ object_type }) => object_type)])];
/** A change must appear on the screen within two seconds. */
const POLL_MS = 1_500;

export function AuditPage() {
  const { t } = useTranslation(["audit", "app", "ui"]);
  const words = useAuditWords();
  const today = useBusinessDay();
  const address = useListSearch(AUDIT_SEARCH);
  // By default show only rows of people, because platforms write most rows. The server rejects an object id without
  // its type.
  const { object_id, ...others } = { actors: "people", ...address.filter };
  const filter = { ...others, ...(others.object_type && { object_id }) };
  const input = auditRoutes.list.query.parse({ ...filter, ...address.paging });
  const loaded = useList(listQueryOf(auditRoutes.list, { query: input }));
  const live = useQuery({
    ...queryOf(auditRoutes.watch, { query: input }, { background: true }),
    enabled: address.paging.page === 1 && loaded.data !== undefined,
    refetchInterval: POLL_MS,
  });
  const newer = live.dataUpdatedAt > loaded.since ? live.data : undefined;
  const list = newer ? { ...loaded, rows: newer.content, total: newer.total } : loaded;
  const columns = useAuditColumns();
  const fields: readonly QueryField[] = [
    selectField("actors", t("actors"), AUDIT_ACTORS, (one) => t(`actors_${one}`)),
    { kind: "text", name: "actor", label: t("actor") },
    selectField("action", t("action"), ACTIONS, words.action),
    selectField("object_type", t("object_type"), TYPES, words.type),
    { kind: "text", name: "object_id", label: t("object_id") },
    selectField("outcome", t("outcome"), AUDIT_OUTCOMES, (one) => t(`outcome_${one}`)),
    { kind: "text", name: "request_id", label: t("request") },
    { kind: "range", name: "at", label: t("ui:time"), start: "start_time", end: "end_time", today },
  ];
  return (
    <FilterPage
      id="audit"
      title={t("app:activity_audit")}
      address={{ ...address, filter }}
      fields={fields}
      filterLabel={t("app:activity_audit")}
      schema={auditRoutes.list.query}
      formProps={{
        onQuery: ({ actors = "all", ...values }) =>
          address.query({ ...values, actors }, list.retry),
      }}
      tools={
        <ExportButton
          onExport={(format) =>
            downloadFile(
              auditRoutes.exportFile,
              { ...auditFilter.parse(filter), format },
              {},
              list.total,
            )
          }
        />
      }
      list={list}
      label={t("app:activity_audit")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ at, action }) => `${at} ${words.action(action)}`}
      expand={(row) => <AuditDetails row={row} />}
    />
  );
}
