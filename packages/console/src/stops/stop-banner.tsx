/** Shows on every page what is stopped, since when and by whom, with a start button. */
import { PauseCircleOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { Stop } from "@red/contract/stops/stop-switch";
import { StartButton } from "./start-button.tsx";
import { useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";
import { shortMoment, useBusinessDay } from "#lib/clock.ts";
import { Banner } from "#forms/banner.tsx";

interface Line extends Pick<Stop, "stopped_at" | "stopped_by" | "reason"> {
  readonly target: StopTarget;
}

function targetOf({ name, pool_id, pool_name }: Stop): StopTarget {
  return name === "pool" ? { name, id: pool_id ?? 0, pool_name: pool_name ?? "" } : { name };
}

/** Draws and payouts that one call stopped (same second and operator) share a line, if the user may start both. */
function linesOf(stops: readonly Stop[], isOneStart: boolean): Line[] {
  const [draws, payouts] = (["draws", "payouts"] as const).map((name) =>
    stops.find((stop) => stop.name === name),
  );
  const isOneCall =
    isOneStart &&
    draws !== undefined &&
    draws.stopped_at === payouts?.stopped_at &&
    draws.stopped_by === payouts.stopped_by;
  const lines = stops.map((stop) => ({ ...stop, target: targetOf(stop) }));
  return isOneCall
    ? [{ ...draws, target: { name: "everything" } }, ...lines.filter(({ name }) => name === "pool")]
    : lines;
}

function StopLine({ target, stopped_at, stopped_by, reason }: Line) {
  const { t } = useTranslation("stop");
  const since = shortMoment(stopped_at, useBusinessDay());
  const what =
    target.name === "pool"
      ? t("banner_pool", { name: target.pool_name })
      : t(`banner_${target.name}`);
  return (
    <Banner
      tone="danger"
      icon={<PauseCircleOutlined />}
      action={
        <StartButton target={target} size="small" aria-label={t("start_label", { what })}>
          {t("start")}
        </StartButton>
      }
    >
      <strong>{what}</strong> {t("banner_since", { since, by: stopped_by })}
      {reason !== null && ` · ${t("banner_reason", { reason })}`}
    </Banner>
  );
}

export function Stopped() {
  const isOneStart = useMayStart("draws") === useMayStart("payouts");
  const lines = linesOf(useStops() ?? [], isOneStart);
  return lines.map((line) => <StopLine key={JSON.stringify(line.target)} {...line} />);
}
