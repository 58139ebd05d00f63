import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import type { Draft } from "./use-draft.ts";

export function DraftNote({ draft }: { draft: Pick<Draft, "restored" | "discard"> }) {
  const { t } = useTranslation("ui");
  return (
    draft.restored && (
      <Alert
        type="info"
        showIcon
        className="k-form-alert"
        title={t("draft_restored")}
        action={
          <Button size="small" onClick={draft.discard}>
            {t("draft_discard")}
          </Button>
        }
      />
    )
  );
}
