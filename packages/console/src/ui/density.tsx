import { ColumnHeightOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { MenuButton } from "./menu-button.tsx";

export const DENSITIES = ["default", "medium", "small"] as const;
export type Density = (typeof DENSITIES)[number];

/** The shell stores the choice; the kit does not know where. */
export const DensityContext = createContext<{ density: Density; choose: (next: Density) => void }>({
  density: "medium",
  choose: () => undefined,
});

export function DensityButton() {
  const { t } = useTranslation("ui");
  const { density, choose } = useContext(DensityContext);
  return (
    <MenuButton
      title={t("density")}
      menu={{
        selectable: true,
        selectedKeys: [density],
        items: DENSITIES.map((each) => ({
          key: each,
          label: t(`density_${each}`),
          onClick: () => choose(each),
        })),
      }}
    >
      <Button
        type="text"
        icon={<ColumnHeightOutlined aria-hidden="true" />}
        aria-label={t("density")}
      />
    </MenuButton>
  );
}
