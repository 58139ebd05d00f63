/** The sheet of keys, opened by "?" or by the button beside the page's title. */
import { Switch } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog.tsx";
import { DIALOG_WIDTH } from "./dialog-width.ts";
import { useSingleKeys } from "./page-keys.ts";

/* The same order as an operator meets them: ask, read, act, leave. */
const ROWS = [
  { keys: ["Ctrl", "K"], text: "key_find" },
  { keys: ["/"], text: "key_filter" },
  { keys: ["Enter"], text: "key_query" },
  { keys: ["r"], text: "key_refresh" },
  { keys: ["PageUp", "PageDown"], text: "key_read" },
  { keys: ["←", "→"], text: "key_turn" },
  { keys: ["Space"], text: "key_tick" },
  { keys: ["Esc"], text: "key_leave" },
  { keys: ["?"], text: "key_help" },
] as const;

interface KeySheetProps {
  open: boolean;
  onClose: () => void;
}

export function KeySheet({ open, onClose }: KeySheetProps) {
  const { t } = useTranslation("ui");
  const [singles, setSingles] = useSingleKeys();
  const label = useId();
  return (
    <Dialog
      open={open}
      title={t("keys")}
      width={DIALOG_WIDTH.form}
      className="k-dialog"
      destroyOnHidden
      footer={null}
      onCancel={onClose}
    >
      <dl className="k-keys">
        {ROWS.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p className="k-keys-switch">
        <Switch size="small" checked={singles} onChange={setSingles} aria-labelledby={label} />
        <span id={label}>{t("single_keys")}</span>
      </p>
    </Dialog>
  );
}
