/** Settles differences with a reason: adopts the wallet's result, or accepts them (behaviour §6). */
import { useTranslation } from "react-i18next";
import { reconciliationRoutes } from "@red/contract/reconciliation";
import type { ReconciliationBreak } from "@red/contract/reconciliation";
import { recordRoutes } from "@red/contract/record";
import { sheetRoutes } from "@red/contract/sheet";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";

interface MendDialogProps {
  end: "adopted" | "accepted";
  breaks: readonly ReconciliationBreak[];
  onDone: () => void;
  onClose: () => void;
}

export function MendDialog({ end, breaks, onDone, onClose }: MendDialogProps) {
  const { t } = useTranslation(["reconciliation", "contract"]);
  const toast = useToast();

  const save = async (reason: string, close: Close) => {
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
    <ReasonDialog
      title={t(`mend_${end}`)}
      label={t("mend_reason")}
      missing={t("contract:enter_mend_reason")}
      draftKey={`break:${end}:${breaks.length}:${breaks[0]?.id ?? 0}`}
      okText={t(end === "adopted" ? "adopt" : "accept")}
      failedText={t("contract:mend_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t(`mend_${end}_hint`)}</p>
    </ReasonDialog>
  );
}
