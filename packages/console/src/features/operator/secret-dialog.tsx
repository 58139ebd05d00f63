/** Shows what the server tells only once: a password, a key's secret, recovery codes. */
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { Code } from "#ui/cells.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useToast } from "#ui/toast.tsx";

export interface Secret {
  readonly title: string;
  /** Those with a name are also copied one by one. */
  readonly lines: readonly (readonly [value: string, name?: string])[];
}

/** Closed by its button alone: what it shows cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTranslation(["operator", "ui"]);
  const toast = useToast();
  const copy = () => {
    const all = secret.lines.map(([value, name = ""]) =>
      name === "" || secret.lines.length === 1 ? value : t("of", { what: name, name: value }),
    );
    navigator.clipboard.writeText(all.join("\n")).then(
      () => toast.success(t("ui:copied")),
      () => toast.warning(t("ui:copy_failed")),
    );
  };
  return (
    <Dialog
      open
      title={secret.title}
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
        {secret.lines.map(([value, name]) => (
          <li key={value}>
            {name !== undefined && <span className="k-note">{name}</span>}
            {name === undefined ? <code>{value}</code> : <Code value={value} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
