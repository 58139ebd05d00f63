import { SettingOutlined } from "@ant-design/icons";
import { Button, Checkbox } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DIALOG_WIDTH, Dialog } from "./dialog.tsx";
import { IconButton } from "./hint.tsx";
import { useStored } from "./stored.ts";

interface Hideable {
  readonly key: string;
  readonly title: string;
  readonly rowHeader?: boolean;
  readonly actions?: boolean;
}

/* Reads the stored list of hidden columns. Their keys have a leading minus; other entries are ignored. */
function hiddenIn(stored: string | null): readonly string[] {
  return (stored ?? "").split(",").flatMap((part) => (part.startsWith("-") ? part.slice(1) : []));
}

/** The column with the name of the row and the column with actions cannot be hidden. */
function canHide({ rowHeader, actions }: Hideable): boolean {
  return rowHeader !== true && actions !== true;
}

/** Returns the visible columns of the list `id`, and the button to choose them. */
export function useColumnSettings<C extends Hideable>(id: string, columns: readonly C[]) {
  const [stored, store] = useStored(`columns:${id}`);
  const hidden = hiddenIn(stored);
  const shown = columns.filter((column) => !canHide(column) || !hidden.includes(column.key));
  const choose = (keys: readonly string[]) => {
    const rest = columns.filter((column) => canHide(column) && !keys.includes(column.key));
    store(rest.length === 0 ? null : rest.map(({ key }) => `-${key}`).join(","));
  };
  return { shown, button: <ColumnButton columns={columns} shown={shown} onChoose={choose} /> };
}

interface ColumnButtonProps {
  columns: readonly Hideable[];
  shown: readonly Hideable[];
  onChoose: (keys: readonly string[]) => void;
}

function ColumnButton({ columns, shown, onChoose }: ColumnButtonProps) {
  const { t } = useTranslation("ui");
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        title={t("columns")}
        icon={<SettingOutlined aria-hidden="true" />}
        onClick={() => setOpen(true)}
      />
      <Dialog
        open={open}
        title={t("columns")}
        width={DIALOG_WIDTH.small}
        className="k-dialog"
        destroyOnHidden
        onCancel={close}
        footer={
          <>
            <Button
              disabled={shown.length === columns.length}
              onClick={() => onChoose(columns.map(({ key }) => key))}
            >
              {t("restore_defaults")}
            </Button>
            <Button type="primary" onClick={close}>
              {t("close")}
            </Button>
          </>
        }
      >
        <Checkbox.Group<string>
          className="k-columns"
          value={shown.map(({ key }) => key)}
          options={columns.map((column) => ({
            value: column.key,
            label: column.title,
            disabled: !canHide(column),
          }))}
          onChange={onChoose}
        />
      </Dialog>
    </>
  );
}
