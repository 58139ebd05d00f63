import { useTranslation } from "react-i18next";
import { LoadFailedNote } from "#lib/lazy-part.tsx";
import type { LoadFailedProps } from "#lib/lazy-part.tsx";
import { DIALOG_WIDTH, Dialog } from "#ui/dialog.tsx";

interface LoadFailedDialogProps extends LoadFailedProps {
  /** Omit this prop if the part is rendered only while it is open. */
  open?: boolean;
  onClose: () => void;
}

export function LoadFailedDialog({ open = true, onClose, ...lost }: LoadFailedDialogProps) {
  const { t } = useTranslation("lib");
  return (
    <Dialog
      open={open}
      title={t("part_lost")}
      width={DIALOG_WIDTH.small}
      onCancel={onClose}
      footer={null}
    >
      <LoadFailedNote {...lost} />
    </Dialog>
  );
}
