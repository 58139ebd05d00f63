/** Full screen, where the browser supports it (spec §8). */
import { FullscreenExitOutlined, FullscreenOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "#ui/hint.tsx";
import { useToast } from "#ui/toast.tsx";

function subscribe(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => {
    document.removeEventListener("fullscreenchange", listener);
  };
}

export function FullscreenButton() {
  const { t } = useTranslation("app");
  const toast = useToast();
  const on = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    if (!document.fullscreenEnabled) {
      toast.warning(t("fullscreen_unsupported"));
      return;
    }
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => toast.warning(t("fullscreen_unsupported")));
  };
  const label = t(on ? "leave_fullscreen" : "enter_fullscreen");
  const Icon = on ? FullscreenExitOutlined : FullscreenOutlined;
  return (
    <Hint title={label}>
      <Button
        type="text"
        className="s-tool"
        icon={<Icon aria-hidden="true" />}
        aria-label={label}
        onClick={toggle}
      />
    </Hint>
  );
}
