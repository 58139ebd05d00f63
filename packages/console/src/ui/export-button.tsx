import { DownOutlined } from "@ant-design/icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./busy-button.tsx";
import { MenuButton } from "./menu-button.tsx";

export type ExportFormat = "xlsx" | "csv";

interface ExportButtonProps {
  /** "Export" if absent. */
  label?: string;
  onExport: (format: ExportFormat) => Promise<unknown> | undefined;
  disabled?: boolean;
}

export function ExportButton({ label, onExport, disabled = false }: ExportButtonProps) {
  const { t } = useTranslation("ui");
  const [busy, setBusy] = useState(false);
  const choose = async (format: ExportFormat) => {
    setBusy(true);
    await onExport(format);
    setBusy(false);
  };
  return (
    <MenuButton
      disabled={disabled || busy}
      menu={{
        items: [
          { key: "xlsx", label: t("export_xlsx"), onClick: () => void choose("xlsx") },
          { key: "csv", label: t("export_csv"), onClick: () => void choose("csv") },
        ],
      }}
    >
      <BusyButton busy={busy} icon={<DownOutlined aria-hidden="true" />} iconPlacement="end">
        {label ?? t("export")}
      </BusyButton>
    </MenuButton>
  );
}
