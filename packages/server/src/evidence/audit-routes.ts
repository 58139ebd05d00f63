import { auditRow } from "@red/contract/evidence/audit";
import type { AuditRow, auditRoutes } from "@red/contract/evidence/audit";
import { AUDIT_ACTS, AUDIT_TYPES } from "@red/contract/evidence/audit-acts";
import { textCell } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";
import { tableDownload } from "#platform/http/download";
import type { Handler, Handlers } from "#platform/handlers";
import { maskedPages } from "#platform/mask";
import {
  auditMatch,
  selectAudits,
  selectAuditTotal,
  streamAudits,
  toAudit,
} from "./audit-list-sql.ts";
import type { ListedAudit } from "./audit-list-sql.ts";

/** The column labels of exports are always Chinese, because operators read these files. */
const COLUMNS: readonly (readonly [label: string, text: (row: AuditRow) => string])[] = [
  ["时间", ({ at }) => at],
  ["编号", ({ id }) => String(id)],
  ["操作人", ({ actor }) => actor],
  ["操作", ({ action }) => AUDIT_ACTS.find((act) => act.action === action)?.zh ?? action],
  ["对象类型", ({ object_type }) => AUDIT_TYPES.get(object_type)?.zh ?? object_type],
  ["对象", ({ object_id }) => object_id ?? ""],
  ["名称", ({ object_name }) => object_name ?? ""],
  ["结果", ({ outcome }) => (outcome === "done" ? "完成" : "被拒绝")],
  ["修改前", ({ before }) => (before === null ? "" : JSON.stringify(before))],
  ["修改后", ({ after }) => (after === null ? "" : JSON.stringify(after))],
  ["原因", ({ reason }) => reason ?? ""],
  ["来源地址", ({ address }) => address ?? ""],
  ["请求编号", ({ request_id }) => request_id ?? ""],
];

async function* cells(
  pages: AsyncIterable<readonly ListedAudit[]>,
  timeZone: string,
): AsyncGenerator<Cell[][]> {
  for await (const rows of pages) {
    const listed = rows.map((row) => toAudit(row, timeZone));
    yield listed.map((row) => COLUMNS.map(([, text]) => textCell(text(row))));
  }
}

const list: Handler<typeof auditRoutes.list> = async ({ db, query, services }) => {
  const { timeZone } = services.settings;
  const match = auditMatch(query, timeZone);
  const [rows, total] = await Promise.all([
    selectAudits(db, match, query),
    selectAuditTotal(db, match),
  ]);
  return { data: { content: rows.map((row) => toAudit(row, timeZone)), total } };
};

export const auditHandlers: Handlers<typeof auditRoutes> = {
  list,
  watch: list,

  async exportFile({ db, query, services, ...caller }) {
    const { timeZone } = services.settings;
    const { format, ...filter } = query;
    const rows = streamAudits(db, auditMatch(filter, timeZone));
    const pages = cells(maskedPages(rows, auditRow, caller), timeZone);
    const labels = COLUMNS.map(([label]) => label);
    const table: Table = { title: "操作日志", labels, pages };
    return tableDownload(table.title, format, table);
  },
};
