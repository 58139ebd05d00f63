/** Opens the settings panel (spec §2 "Shell"). */
import { SettingOutlined } from "@ant-design/icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LostDialog } from "#forms/lost-dialog.tsx";
import { part } from "#lib/part.tsx";
import { IconButton } from "#ui/hint.tsx";

const SettingsDrawer = part(
  async () => (await import("./settings-drawer.tsx")).SettingsDrawer,
  LostDialog,
);

export function SettingsButton() {
  const { t } = useTranslation("app");
  const [state, setState] = useState<"unopened" | "open" | "closed">("unopened");
  return (
    <>
      <IconButton
        title={t("settings")}
        className="s-tool"
        icon={<SettingOutlined aria-hidden="true" />}
        onClick={() => setState("open")}
      />
      {state !== "unopened" && (
        <SettingsDrawer open={state === "open"} onClose={() => setState("closed")} />
      )}
    </>
  );
}
