/** Makes one file for bench/export.ts, and prints what that took: `export-file.ts KIND FILE`. */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { formatDateTime } from "../packages/contract/src/platform/datetime.ts";
import { CODE_TEXTS } from "../packages/contract/src/platform/code-texts.ts";
import { STATUS_OF_STATE } from "../packages/contract/src/platform/codes.ts";
import type { PayoutState } from "../packages/contract/src/platform/codes.ts";
import { formatCents } from "../packages/contract/src/platform/money.ts";
import pg from "pg";
import Cursor from "pg-cursor";
import { ZipFile } from "yazl";
import { roundProof } from "../packages/server/src/evidence/round-proof.ts";
import { sheetHandlers } from "../packages/server/src/finance/sheet-routes.ts";
import { openDb, openPool } from "../packages/server/src/platform/db/connection.ts";
import type { ConnectionConfig } from "../packages/server/src/platform/db/connection.ts";
import { recordHandlers } from "../packages/server/src/records/record-routes.ts";
import { recordTable } from "../packages/server/src/records/record-file.ts";

export interface Made {
  readonly seconds: number;
  /** Most memory while it was made, above that before. */
  readonly rss_mb: number;
  readonly lines: number;
}

const ZONE = "Asia/Shanghai";
const LABELS = CODE_TEXTS.zh;

interface Row {
  readonly id: string;
  readonly rounds_id: number;
  readonly rounds_name: string;
  readonly player_id: string;
  readonly user_name: string;
  readonly award_name: string;
  readonly award_price_cents: string;
  readonly created_at: Date;
  readonly turnover: number;
  readonly state: PayoutState;
  readonly fail_reason: string | null;
  readonly note: string | null;
  readonly paid_at: Date | null;
  readonly trans_sn: string;
  readonly wallet_ref: string | null;
  readonly attempts: number;
}

/** A row as a plain client writes it; numbers stay numbers. */
function cellsOf(row: Row): (string | number | null)[] {
  const cents = Number(row.award_price_cents);
  return [
    row.id,
    row.rounds_id,
    row.rounds_name,
    row.player_id,
    row.user_name,
    row.award_name,
    Number(formatCents(cents)),
    cents === 0 ? LABELS.type_physical : LABELS.type_virtual,
    formatDateTime(row.created_at, ZONE),
    row.turnover,
    LABELS[`status_${STATUS_OF_STATE[row.state]}`],
    LABELS[`state_${row.state}`],
    row.fail_reason,
    row.note,
    row.paid_at && formatDateTime(row.paid_at, ZONE),
    row.trans_sn,
    row.wallet_ref,
    row.attempts,
  ];
}

async function* rowsByCursor(connection: ConnectionConfig): AsyncGenerator<Row> {
  const client = new pg.Client(connection);
  await client.connect();
  const cursor = client.query(
    new Cursor<Row>(`
      select r.id, r.rounds_id, a.rounds_name, y.player_id, y.user_name, r.award_name,
        r.award_price_cents, r.created_at, r.turnover, p.state, p.fail_reason, p.note, p.paid_at,
        p.trans_sn, p.wallet_ref, p.attempts
      from draw_record r join payout p on p.log_id = r.id
      join player y on y.player_key = r.player_key join activity a on a.id = r.rounds_id
      where r.rounds_id = 1 order by r.id desc`),
  );
  for (;;) {
    const rows = await cursor.read(1_000);
    if (rows.length === 0) {
      break;
    }
    yield* rows;
  }
  await client.end();
}

const HEAD = recordTable((async function* () {})(), ZONE).labels;

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

async function* plainCsv(connection: ConnectionConfig): AsyncGenerator<string> {
  yield `\uFEFF${HEAD.join(",")}\r\n`;
  for await (const row of rowsByCursor(connection)) {
    yield `${cellsOf(row)
      .map((cell) => quoted(String(cell ?? "")))
      .join(",")}\r\n`;
  }
}

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function cellXml(cell: string | number | null, style = ""): string {
  if (cell === null) {
    return "<c/>";
  }
  return typeof cell === "number"
    ? `<c><v>${cell}</v></c>`
    : `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

async function* plainSheet(connection: ConnectionConfig): AsyncGenerator<string> {
  yield (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">' +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${HEAD.length}" width="20" customWidth="1"/></cols>` +
      `<sheetData><row>${HEAD.map((label) => cellXml(label, ' s="1"')).join("")}</row>`
  );
  for await (const row of rowsByCursor(connection)) {
    yield `<row>${cellsOf(row)
      .map((cell) => cellXml(cell))
      .join("")}</row>`;
  }
  yield "</sheetData></worksheet>";
}

function plainXlsx(connection: ConnectionConfig): Readable {
  const zip = new ZipFile();
  zip.addReadStream(
    Readable.from(plainSheet(connection), { objectMode: false }),
    "xl/worksheets/sheet1.xml",
  );
  zip.end();
  return zip.outputStream as Readable;
}

async function contentOf(connection: ConnectionConfig, kind: string): Promise<Readable> {
  const options = { max: 2, name: "bench", statementTimeoutMs: 0, onFault: () => {} };
  const db = openDb(openPool(connection, options));
  const call = { db, services: { settings: { timeZone: ZONE } }, language: "zh" };
  const format = kind.endsWith("xlsx") ? "xlsx" : "csv";
  const [who = ""] = kind.split(".", 1);
  switch (who) {
    case "product": {
      const query = { rounds_id: 1, format };
      return (await recordHandlers.exportFile({ ...call, query } as never)).content;
    }
    case "sheet": {
      const query = { format };
      return (await sheetHandlers.exportFile({ ...call, params: { id: 1 }, query } as never))
        .content;
    }
    case "proof":
      return roundProof(db, 1);
    default:
      return format === "xlsx"
        ? plainXlsx(connection)
        : Readable.from(plainCsv(connection), { objectMode: false });
  }
}

/** Memory is of this process, so it has one of its own unless that does not matter. */
export async function makeFile(
  connection: ConnectionConfig,
  kind: string,
  file: string,
): Promise<Made> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const begun = performance.now();
  await pipeline(await contentOf(connection, kind), createWriteStream(file));
  const seconds = (performance.now() - begun) / 1_000;
  clearInterval(timer);
  let lines = 0;
  if (!kind.endsWith("xlsx")) {
    for await (const _line of createInterface({ input: createReadStream(file) })) {
      lines += 1;
    }
  }
  return { seconds, rss_mb: (most - before) / 2 ** 20, lines };
}

const [kind, file] = process.argv.slice(2);
if (kind !== undefined && file !== undefined) {
  const connection = JSON.parse(process.env["BENCH_CONNECTION"] ?? "{}") as ConnectionConfig;
  const made = await makeFile(connection, kind, file);
  process.stdout.write(JSON.stringify(made), () => process.exit(0));
}
