/** Who is signed in, the guide, and the way out. */
import {
  DownOutlined,
  LogoutOutlined,
  QuestionCircleOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { logOut, useUser } from "#lib/session.ts";
import { MenuButton } from "#ui/menu-button.tsx";

/** A page of its own, made from docs/guide: it stays open beside what it tells of. */
const GUIDE = `${import.meta.env.BASE_URL}guide/`;

export function UserMenu() {
  const { t } = useTranslation("app");
  const { name } = useUser();
  return (
    <MenuButton
      menu={{
        items: [
          // Where the bar has no room for it, this is where the name stands.
          {
            type: "group",
            label: name,
            children: [
              {
                key: "guide",
                icon: <QuestionCircleOutlined aria-hidden="true" />,
                label: t("guide"),
                onClick: () => window.open(GUIDE, "_blank", "noopener"),
              },
              {
                key: "log_out",
                icon: <LogoutOutlined aria-hidden="true" />,
                label: t("log_out"),
                onClick: () => void logOut(),
              },
            ],
          },
        ],
      }}
    >
      <Button type="text" className="s-tool s-user" aria-label={t("user_menu", { name })}>
        <UserOutlined aria-hidden="true" />
        <span className="s-user-name" title={name}>
          {name}
        </span>
        <DownOutlined aria-hidden="true" className="s-caret" />
      </Button>
    </MenuButton>
  );
}
