/** Every fault of a prize file, by row and column. */
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import type { PrizeFileColumn, RowFault } from "@red/contract/prize";
import { NOTHING } from "#ui/format.ts";
import { faultsCsv, saveText } from "./prize-file.ts";

/** More rows than this are read in a spreadsheet, not in a dialog. */
const SHOWN_MAX = 100;

const COLUMNS = [
  "pool_name",
  "award_name",
  "award_price",
  "weight",
  "award_total",
  "floors",
] as const satisfies readonly PrizeFileColumn[];

export function ImportFaults({ faults }: { faults: readonly RowFault[] }) {
  const { t } = useTranslation("prize");
  const header = [t("fault_row"), t("fault_column"), t("fault_value"), t("fault_reason")];
  const [row, column, value, reason] = header;
  /* As the form calls it; a column that is not known here is shown as it came. */
  const columnName = (name: string) => {
    const known = COLUMNS.find((one) => one === name);
    return known === undefined ? name : t(known);
  };
  const named = faults.map((fault) => ({ ...fault, column: columnName(fault.column) }));
  return (
    <>
      <Alert
        type="error"
        showIcon
        title={t("import_faults", { count: faults.length })}
        action={
          <Button
            size="small"
            onClick={() => saveText(`${t("fault_list")}.csv`, faultsCsv(header, named))}
          >
            {t("import_download")}
          </Button>
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reached by the keyboard */}
      <div className="p-faults" role="region" aria-label={t("fault_list")} tabIndex={0}>
        <table className="k-plain p-fault-list">
          <thead>
            <tr>
              <th scope="col" className="k-right">
                {row}
              </th>
              <th scope="col">{column}</th>
              <th scope="col">{value}</th>
              <th scope="col">{reason}</th>
            </tr>
          </thead>
          <tbody>
            {named.slice(0, SHOWN_MAX).map((fault, index) => (
              // One place may have several faults: only its position names a line.
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
