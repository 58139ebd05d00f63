/** A prize file before it is sent, and the list of its faults (spec §5, behaviour §12). */
import { UPLOAD_BYTES_MAX } from "@red/contract/limits";
import type { RowFault } from "@red/contract/prize";

const ENDINGS = [".xlsx", ".xls", ".csv"] as const;
/** What the file picker offers. */
export const ACCEPT = ENDINGS.join(",");

/** Why the file cannot be taken, judged by name and size as the specification has it. */
export function faultOfFile({ name, size }: Pick<File, "name" | "size">): "type" | "size" | null {
  const lower = name.toLowerCase();
  if (!ENDINGS.some((ending) => lower.endsWith(ending))) {
    return "type";
  }
  return size < UPLOAD_BYTES_MAX ? null : "size";
}

/* A value that a spreadsheet would take for a formula is shown as the text that it is. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The faults as csv with a byte order mark, by which spreadsheets know that it is UTF-8. */
export function faultsCsv(header: readonly string[], faults: readonly RowFault[]): string {
  const lines = [
    header,
    ...faults.map(({ row, column, value, msg }) => [row, column, value, msg]),
  ].map((cells) => cells.map(cell).join(","));
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

/** Hands a text made here to the operator as a file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
