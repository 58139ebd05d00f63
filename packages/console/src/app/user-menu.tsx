/** Who is signed in, and the way out. */
import { DownOutlined, LogoutOutlined, UserOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { logOut, useUser } from "#lib/session.ts";
import { MenuButton } from "#ui/menu-button.tsx";

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
