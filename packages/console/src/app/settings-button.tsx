/** Opens the settings panel (spec §2 "Shell"). */
import { SettingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LostDialog } from "#forms/lost-dialog.tsx";
import { part } from "#lib/part.tsx";
import { Hint } from "#ui/hint.tsx";

const SettingsDrawer = part(
  async () => (await import("./settings-drawer.tsx")).SettingsDrawer,
  LostDialog,
);

export function SettingsButton() {
  const { t } = useTranslation("app");
  const [state, setState] = useState<"unopened" | "open" | "closed">("unopened");
  return (
    <>
      <Hint title={t("settings")}>
        <Button
          type="text"
          className="s-tool"
          icon={<SettingOutlined aria-hidden="true" />}
          aria-label={t("settings")}
          onClick={() => setState("open")}
        />
      </Hint>
      {state !== "unopened" && (
        <SettingsDrawer open={state === "open"} onClose={() => setState("closed")} />
      )}
    </>
  );
}
