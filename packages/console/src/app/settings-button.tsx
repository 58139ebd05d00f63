/** Opens the settings panel, which is hidden at the right until then (spec §2 "Shell"). */
import { SettingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "#ui/hint.tsx";

const SettingsDrawer = lazy(async () => {
  const { SettingsDrawer: component } = await import("./settings-drawer.tsx");
  return { default: component };
});

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
        <Suspense>
          <SettingsDrawer open={state === "open"} onClose={() => setState("closed")} />
        </Suspense>
      )}
    </>
  );
}
