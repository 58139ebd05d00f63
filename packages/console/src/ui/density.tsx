/** Height of rows and controls, chosen once for all lists. */
import { ColumnHeightOutlined } from "@ant-design/icons";
import { Button, Dropdown, Tooltip } from "antd";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";

export const DENSITIES = ["default", "medium", "small"] as const;
export type Density = (typeof DENSITIES)[number];

/** Where the choice is kept is not the kit's business: the shell provides it. */
export const DensityContext = createContext<{ density: Density; choose: (next: Density) => void }>({
  density: "medium",
  choose: () => undefined,
});

export function DensityButton() {
  const { t } = useTranslation("ui");
  const { density, choose } = useContext(DensityContext);
  return (
    <Dropdown
      trigger={["click"]}
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
      <Tooltip title={t("density")}>
        <Button
          type="text"
          icon={<ColumnHeightOutlined aria-hidden="true" />}
          aria-label={t("density")}
        />
      </Tooltip>
    </Dropdown>
  );
}
