import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { PRIZE_FILE_LABELS } from "@red/contract/pools/prize";
import type { PrizeFileColumn, RowFault } from "@red/contract/pools/prize";
import { NOTHING } from "#ui/format.ts";
import { TableHead } from "#ui/table-head.tsx";

/* Escapes a value that a spreadsheet would read as a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns the errors as CSV. The byte order mark tells spreadsheets that the file is UTF-8. */
export function faultsCsv(header: readonly string[], faults: readonly RowFault[]): string {
  const lines = [
    header,
    ...faults.map(({ row, column, value, msg }) => [row, column, value, msg]),
  ].map((cells) => cells.map(cell).join(","));
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started before the next task runs.
  setTimeout(() => URL.revokeObjectURL(url));
}

const SHOWN_MAX = 100;

const COLUMNS = Object.keys(PRIZE_FILE_LABELS) as PrizeFileColumn[];

export function ImportFaults({ faults }: { faults: readonly RowFault[] }) {
  const { t } = useTranslation(["prize", "fields"]);
  const header = [t("fault_row"), t("fault_column"), t("fault_value"), t("fields:reason")];
  /* Returns the label of the form. An unknown column keeps its name. */
  const columnName = (name: string) => {
    const known = COLUMNS.find((column) => column === name);
    if (known === undefined) {
      return name;
    }
    return t(known === "pool_name" ? known : `fields:${known}`);
  };
  const labelled = faults.map((fault) => ({ ...fault, column: columnName(fault.column) }));
  return (
    <>
      <Alert
        type="error"
        showIcon
        title={t("import_failed")}
        description={t("import_faults", { count: faults.length })}
        action={
          <Button
            size="small"
            onClick={() => saveText(`${t("fault_list")}.csv`, faultsCsv(header, labelled))}
          >
            {t("import_download")}
          </Button>
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className="p-faults" role="region" aria-label={t("fault_list")} tabIndex={0}>
        <table className="k-plain p-fault-list">
          <TableHead titles={header} right={[t("fault_row")]} />
          <tbody>
            {labelled.slice(0, SHOWN_MAX).map((fault, index) => (
              // A cell may have several errors, so only the position is unique.
              <tr key={index}>
                <td className="k-num k-right">{fault.row}</td>
                <td>{fault.column === "" ? NOTHING : fault.column}</td>
                <td className="p-fault-value">{fault.value === "" ? NOTHING : fault.value}</td>
                <td>{fault.msg}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {faults.length > SHOWN_MAX && (
        <p className="k-note">{t("import_more", { shown: SHOWN_MAX, count: faults.length })}</p>
      )}
    </>
  );
}
