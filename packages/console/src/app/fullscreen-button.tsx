/** Full screen, where the browser supports it (spec §8). */
import { FullscreenExitOutlined, FullscreenOutlined } from "@ant-design/icons";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/hint.tsx";
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
  const Icon = on ? FullscreenExitOutlined : FullscreenOutlined;
  return (
    <IconButton
      title={t(on ? "leave_fullscreen" : "enter_fullscreen")}
      className="s-tool"
      icon={<Icon aria-hidden="true" />}
      onClick={toggle}
    />
  );
}
