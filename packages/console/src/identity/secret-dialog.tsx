/** Shows what the server answers only once: a password, a key's secret, recovery codes. */
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { DIALOG_WIDTH, Dialog } from "#ui/dialog.tsx";
import { useToast } from "#ui/toast.tsx";

export interface Secret {
  readonly title: string;
  readonly lines: readonly string[];
  /** The names of the lines, in their order. */
  readonly names?: readonly string[];
}

/** Only the button closes it: the secret cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTranslation(["operator", "ui"]);
  const toast = useToast();
  const { title, lines, names = [] } = secret;
  const copy = () => {
    // A single secret is copied without its name, ready to be pasted.
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
