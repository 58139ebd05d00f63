/** Opens the settings panel (spec §2 "Shell"). */
import { SettingOutlined } from "@ant-design/icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { lazyPart } from "#lib/lazy-part.tsx";
import { IconButton } from "#ui/hint.tsx";

const SettingsDrawer = lazyPart(
  async () => (await import("./settings-drawer.tsx")).SettingsDrawer,
  LoadFailedDialog,
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
