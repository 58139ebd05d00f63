/** Runs a reconciliation with a statement from the wallet or from a file (behaviour §6). */
import { Form } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import { sheetRoutes } from "@red/contract/finance/sheet";
import * as z from "zod/mini";
import { useAct } from "#forms/act.ts";
import { FilePicker } from "#forms/file-picker.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import { ApiError, changeBy, changeByFile } from "#lib/api.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { TimeRangePicker } from "#ui/date-time-picker.tsx";
import type { TypedRange } from "#ui/date-time-picker.tsx";
import { useTimeRule } from "#ui/time-faults.ts";
import { DATE_TIME, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";

interface RunValues {
  span?: TypedRange;
  file?: File | null;
}

const FAULTS_SHOWN = 5;

const rowFaults = z.object({
  errors: z.array(z.object({ row: z.int(), column: z.string(), msg: z.string() })),
});
type RowFaults = z.output<typeof rowFaults>["errors"];

function FaultList({ faults }: { faults: RowFaults }) {
  const { t } = useTranslation("reconciliation");
  if (faults.length === 0) {
    return null;
  }
  return (
    <div role="alert" className="c-faults">
      <p>{t("file_faults", { count: faults.length })}</p>
      <ul>
        {faults.slice(0, FAULTS_SHOWN).map((fault) => (
          <li key={`${fault.row} ${fault.column}`}>{t("file_fault", fault)}</li>
        ))}
      </ul>
    </div>
  );
}

interface StatementFileProps {
  /* The form sets value and onChange, so that a chosen file counts as unsaved input. */
  value?: File | null;
  onChange?: (file: File) => void;
  onPick: () => void;
}

function StatementFile({ value: file = null, onChange, onPick }: StatementFileProps) {
  const { t } = useTranslation("reconciliation");
  return (
    <>
      <p>{t("file")}</p>
      <FilePicker
        label={t("file")}
        text={t(file === null ? "file_choose" : "file_other")}
        onPick={(picked) => {
          onPick();
          onChange?.(picked);
        }}
      >
        {file !== null && <span className="c-file-name">{file.name}</span>}
      </FilePicker>
      <p className="c-hint">{t("file_hint")}</p>
    </>
  );
}

export function RunDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["reconciliation", "contract"]);
  const { send } = useAct(
    reconciliationRoutes.breaks,
    reconciliationRoutes.list,
    sheetRoutes.detail,
  );
  const readable = useTimeRule("range");
  const today = useBusinessDay();
  const [form] = Form.useForm<RunValues>();
  const [faults, setFaults] = useState<RowFaults>([]);
  const [initial] = useState(() => ({
    span: [dayjs(`${today} 00:00:00`), dayjs(`${today} 23:59:59`)],
  }));

  const changeOf = ({ span, file = null }: RunValues) => {
    const [start, end] = span ?? [];
    const textOf = (moment: unknown) => momentOf(moment)?.format(DATE_TIME) ?? "";
    const body = { from: textOf(start), to: textOf(end) };
    return file === null
      ? changeBy(reconciliationRoutes.run, { body })
      : changeByFile(reconciliationRoutes.upload, file, body);
  };

  const save = async (values: RunValues, close: () => void) => {
    setFaults([]);
    try {
      await send(changeOf(values), {
        text: ({ breaks }) => (breaks === 0 ? t("found_none") : t("found", { count: breaks })),
        close,
      });
    } catch (error) {
      if (error instanceof ApiError) {
        setFaults(rowFaults.safeParse(error.data).data?.errors ?? []);
      }
      throw error;
    }
  };

  return (
    <FormDialog<RunValues>
      title={t("run")}
      form={form}
      initial={initial}
      draftKey="reconciliation:run"
      okText={t("run_save")}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t("run_hint")}</p>
      <Form.Item
        name="span"
        label={t("span")}
        rules={[{ required: true, message: t("choose_span") }, readable]}
      >
        <TimeRangePicker label={t("span")} />
      </Form.Item>
      <Form.Item name="file" noStyle>
        <StatementFile onPick={() => setFaults([])} />
      </Form.Item>
      <FaultList faults={faults} />
    </FormDialog>
  );
}
