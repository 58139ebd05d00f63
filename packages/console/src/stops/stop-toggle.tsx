/** Switch for the draws from a pool. Stopping takes one click, but starting needs a code. */
import { useMutation } from "@tanstack/react-query";
import { Switch } from "antd";
import { useTranslation } from "react-i18next";
import { useAct } from "#forms/act.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { useMay } from "#lib/session.ts";
import { useStart } from "./start-button.tsx";
import { STOP_LISTS, stopOf, useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

interface StopToggleProps {
  target: Extract<StopTarget, { name: "pool" }>;
  text: string;
  label: string;
}

export function StopToggle({ target, text, label }: StopToggleProps) {
  const { t } = useTranslation("stop");
  const stops = useStops();
  const mayStop = useMay("stop.use");
  const mayStart = useMayStart(target.name);
  const { act } = useAct(...STOP_LISTS);
  // The switch stays busy until the lists have loaded, so that it shows the new state at once.
  const stopping = useMutation({ mutationFn: () => act(stopOf(target)) });
  const begin = useStart();
  const isStopped = (stops ?? []).some(({ pool_id }) => pool_id === target.id);
  return (
    <label className="k-auto k-stop-toggle">
      <Switch
        size="small"
        checked={stops !== null && !isStopped}
        loading={stopping.isPending || stops === null}
        {...permissionProps(isStopped ? mayStart : mayStop)}
        aria-label={label}
        onChange={() => (isStopped ? begin(target) : stopping.mutate())}
      />
      <span aria-hidden="true">
        {stops === null ? text : t(`toggle_${isStopped ? "off" : "on"}`, { what: text })}
      </span>
    </label>
  );
}
