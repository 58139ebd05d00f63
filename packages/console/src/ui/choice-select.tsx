/** Select that shows "loading" instead of the raw value while its options load. */
import { Select } from "antd";
import type { SelectProps } from "antd";
import { useTranslation } from "react-i18next";

export function ChoiceSelect({ loading = false, ...props }: SelectProps<string>) {
  const { t } = useTranslation("ui");
  return (
    <Select<string>
      {...props}
      loading={loading}
      labelRender={({ label, value }) => label ?? (loading ? t("loading") : value)}
    />
  );
}
