/** Asks for the reason of a change, whichever form it comes from, above that form (behaviour §16). */
import { useTranslation } from "react-i18next";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import type { Asked } from "#lib/reason.ts";
import { grouped } from "#ui/format.ts";

/** Above dialogs in dialogs, and below a question of its own. */
const LAYER = 1_500;

interface ReasonQuestionProps {
  asked: Asked;
  onClose: () => void;
}

export function ReasonQuestion({ asked, onClose }: ReasonQuestionProps) {
  const { t } = useTranslation(["approval_news", "ui"]);
  const { text, risk, second, answer } = asked;
  return (
    <ReasonDialog
      title={t("reason_title")}
      okText={second ? t("reason_second_ok") : t("ui:ok")}
      draftKey="reason"
      zIndex={LAYER}
      onSubmit={async (reason, close) => close(() => answer(reason))}
      onClose={onClose}
    >
      <p>{text}</p>
      {risk !== "0.00" && <p>{t("reason_risk", { risk: grouped(risk) })}</p>}
      {second && <p>{t("reason_second")}</p>}
    </ReasonDialog>
  );
}
