import { useTranslation } from "react-i18next";
import { LostNote } from "#lib/part.tsx";
import type { LostProps } from "#lib/part.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";

interface LostDialogProps extends LostProps {
  /** Omitted where the part is rendered only while open. */
  open?: boolean;
  onClose: () => void;
}

export function LostDialog({ open = true, onClose, ...lost }: LostDialogProps) {
  const { t } = useTranslation("lib");
  return (
    <Dialog
      open={open}
      title={t("part_lost")}
      width={DIALOG_WIDTH.small}
      onCancel={onClose}
      footer={null}
    >
      <LostNote {...lost} />
    </Dialog>
  );
}
