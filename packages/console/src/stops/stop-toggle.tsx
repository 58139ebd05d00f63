/** Switch to stop and start the draws from a pool: stopping takes one click, starting a code. */
import { Switch } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { settled } from "#lib/api.ts";
import { barred } from "#lib/barred.ts";
import { useToast } from "#ui/toast.tsx";
import { useStart } from "./start-button.tsx";
import { stop, useMayStart, useMayStop, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

interface StopToggleProps {
  target: Extract<StopTarget, { name: "pool" }>;
  text: string;
  label: string;
}

export function StopToggle({ target, text, label }: StopToggleProps) {
  const { t } = useTranslation(["contract", "stop"]);
  const toast = useToast();
  const stops = useStops();
  const mayStop = useMayStop();
  const mayStart = useMayStart(target.name);
  const [busy, setBusy] = useState(false);
  const begin = useStart();
  const isStopped = (stops ?? []).some(({ pool_id }) => pool_id === target.id);
  const toggle = async () => {
    if (isStopped) {
      await begin(target);
      return;
    }
    setBusy(true);
    const stopped = await settled(stop(target));
    setBusy(false);
    if (stopped.ok) {
      toast.success(t("stopped"));
    }
  };
  return (
    <label className="k-auto k-stop-toggle">
      <Switch
        size="small"
        checked={stops !== null && !isStopped}
        loading={busy || stops === null}
        {...barred(isStopped ? mayStart : mayStop)}
        aria-label={label}
        onChange={() => void toggle()}
      />
      <span aria-hidden="true">
        {stops === null ? text : t(`stop:toggle_${isStopped ? "off" : "on"}`, { what: text })}
      </span>
    </label>
  );
}
