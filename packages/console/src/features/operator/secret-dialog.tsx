/** Shows what the server tells only once: a password, a key's secret, recovery codes. */
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog.tsx";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useToast } from "#ui/toast.tsx";

export interface Secret {
  readonly title: string;
  readonly lines: readonly string[];
}

export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTranslation(["operator", "ui"]);
  const toast = useToast();
  const copy = () => {
    navigator.clipboard.writeText(secret.lines.join("\n")).then(
      () => toast.success(t("ui:copied")),
      () => toast.warning(t("ui:copy_failed")),
    );
  };
  return (
    <Dialog
      open
      title={secret.title}
      width={DIALOG_WIDTH.small}
      centered
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={copy}>{t("secret_copy")}</Button>
          <Button type="primary" onClick={onClose}>
            {t("secret_done")}
          </Button>
        </>
      }
    >
      <Alert type="warning" showIcon className="k-form-alert" title={t("shown_once")} />
      <ul className="o-secret">
        {secret.lines.map((line) => (
          <li key={line}>
            <code>{line}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
