import { DisconnectOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { currentConnection, onConnection, probe } from "#lib/connection.ts";
import { useToast } from "#ui/toast.tsx";
import { Banner } from "#forms/banner.tsx";

export function ConnectionBanner() {
  const { t } = useTranslation("app");
  const toast = useToast();
  const connection = useSyncExternalStore(onConnection, currentConnection);
  const previous = useRef(connection);
  useEffect(() => {
    if (previous.current !== "up" && connection === "up") {
      toast.success(t("connection_back"));
    }
    previous.current = connection;
  }, [connection, toast, t]);
  if (connection === "up") {
    return null;
  }
  return (
    <Banner
      tone="danger"
      icon={<DisconnectOutlined />}
      action={
        <Button size="small" onClick={() => void probe()}>
          {t("connection_retry")}
        </Button>
      }
    >
      <span role="alert">{t(`connection_${connection}`)}</span>
    </Banner>
  );
}
