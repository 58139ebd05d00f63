import { DownOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./busy-button.tsx";
import { MenuButton } from "./menu-button.tsx";

export type ExportFormat = "xlsx" | "csv";

interface ExportButtonProps {
  /** The default is "Export". */
  label?: string;
  onExport: (format: ExportFormat) => Promise<unknown> | undefined;
  disabled?: boolean;
}

export function ExportButton({ label, onExport, disabled = false }: ExportButtonProps) {
  const { t } = useTranslation("ui");
  const { isPending: busy, mutate: choose } = useMutation({
    mutationFn: async (format: ExportFormat) => await onExport(format),
  });
  return (
    <MenuButton
      disabled={disabled || busy}
      menu={{
        items: [
          { key: "xlsx", label: t("export_xlsx"), onClick: () => choose("xlsx") },
          { key: "csv", label: t("export_csv"), onClick: () => choose("csv") },
        ],
      }}
    >
      <BusyButton busy={busy} icon={<DownOutlined aria-hidden="true" />} iconPlacement="end">
        {label ?? t("export")}
      </BusyButton>
    </MenuButton>
  );
}
