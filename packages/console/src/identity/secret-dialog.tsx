/** Shows values that the server sends only once: a password, the secret of a key, recovery codes. */
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { DIALOG_WIDTH, Dialog } from "#ui/dialog.tsx";
import { useToast } from "#ui/toast.tsx";

export interface Secret {
  readonly title: string;
  readonly lines: readonly string[];
  /** Name of each line, in the order of the lines. */
  readonly names?: readonly string[];
}

/** Only the button closes the dialog, because the secret cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTranslation(["operator", "ui"]);
  const toast = useToast();
  const { title, lines, names = [] } = secret;
  const copy = () => {
    // Copy a single secret without its name, ready to paste.
    const named = lines.map((name, at) => t("of", { what: names[at] ?? at + 1, name }));
    navigator.clipboard.writeText((names.length > 1 ? named : lines).join("\n")).then(
      () => toast.success(t("ui:copied")),
      () => toast.warning(t("ui:copy_failed")),
    );
  };
  return (
    <Dialog
      open
      title={title}
      width={DIALOG_WIDTH.form}
      centered
      closable={false}
      keyboard={false}
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
        {lines.map((line, at) => (
          <li key={line}>
            {at in names && <div className="k-note">{names[at]}</div>}
            <code>{line}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
