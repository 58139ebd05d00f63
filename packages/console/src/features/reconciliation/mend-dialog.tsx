/** Settles differences with a reason: adopts the wallet's result, or accepts them (behaviour §6). */
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { REASON_LENGTH_MAX } from "@red/contract/limits";
import { reconciliationRoutes } from "@red/contract/reconciliation";
import type { ReconciliationBreak } from "@red/contract/reconciliation";
import { recordRoutes } from "@red/contract/record";
import { sheetRoutes } from "@red/contract/sheet";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useToast } from "#ui/toast.tsx";

const EMPTY = {};

interface MendDialogProps {
  end: "adopted" | "accepted";
  breaks: readonly ReconciliationBreak[];
  onDone: () => void;
  onClose: () => void;
}

export function MendDialog({ end, breaks, onDone, onClose }: MendDialogProps) {
  const { t } = useTranslation(["reconciliation", "contract"]);
  const toast = useToast();
  const [form] = Form.useForm<{ reason: string }>();

  const save = async ({ reason }: { reason: string }, close: Close) => {
    const ids = breaks.map(({ id }) => id);
    const { refused } = await call(reconciliationRoutes.mend, { body: { ids, end, reason } });
    const [first] = refused;
    if (first === undefined) {
      toast.success(t("contract:mended"));
    } else {
      toast.warning(t("mend_refused", { count: refused.length, reason: first.reason }));
    }
    close(onDone);
    await refresh(
      reconciliationRoutes.breaks,
      reconciliationRoutes.list,
      recordRoutes.list,
      sheetRoutes.detail,
    );
  };

  return (
    <FormDialog<{ reason: string }>
      title={t(`mend_${end}`)}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      draftKey={`break:${end}:${breaks.length}:${breaks[0]?.id ?? 0}`}
      okText={t(end === "adopted" ? "adopt" : "accept")}
      failedText={t("contract:mend_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t(`mend_${end}_hint`)}</p>
      <Form.Item
        name="reason"
        label={t("mend_reason")}
        rules={[{ required: true, whitespace: true, message: t("contract:enter_mend_reason") }]}
      >
        <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
