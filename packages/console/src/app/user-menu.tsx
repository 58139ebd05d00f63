import { useRouter } from "@tanstack/react-router";
import {
  DownOutlined,
  IdcardOutlined,
  LogoutOutlined,
  QuestionCircleOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { logOut, useUser } from "#lib/session.ts";
import { MenuButton } from "#ui/menu-button.tsx";

/** The guide is a separate page, built from docs/guide, so an operator can keep it open beside the console. */
const GUIDE = `${import.meta.env.BASE_URL}guide/`;

export function UserMenu() {
  const { t } = useTranslation("app");
  const { name } = useUser();
  const router = useRouter();
  return (
    <MenuButton
      menu={{
        items: [
          // The group's label shows the operator's name when the bar has no space for the name.
          {
            type: "group",
            label: name,
            children: [
              {
                key: "own",
                icon: <IdcardOutlined aria-hidden="true" />,
                label: t("activity_own"),
                onClick: () => void router.navigate({ to: "/activity_manage/own" }),
              },
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
