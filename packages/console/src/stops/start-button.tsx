import { Button } from "antd";
import type { ButtonProps } from "antd";
import { useTranslation } from "react-i18next";
import type { Stop } from "@red/contract/stops/stop-switch";
import { useAct } from "#forms/act.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { STOP_LISTS, startOf, useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

/** Returns sentences for the dialog: first what the start makes possible, then what stays stopped (behaviour §5). */
export function useStartText(): (target: StopTarget, stops: readonly Stop[]) => readonly string[] {
  const { t } = useTranslation(["stop", "ui"]);
  return (target, stops) => {
    const still = stops.filter(({ name, pool_id }) => {
      if (target.name === "everything") {
        return name === "pool";
      }
      return target.name === "pool" ? pool_id !== target.id : name !== target.name;
    });
    const stays = (name: Stop["name"]) => still.some((stop) => stop.name === name);
    const draws = t(stays("pool") ? "start_content_draws_but_pools" : "start_content_draws");
    const payouts = t("start_content_payouts");
    const name = target.name === "pool" ? target.pool_name : "";
    const pool = t(stays("draws") ? "start_content_pool_waits" : "start_content_pool", { name });
    const starting = {
      draws: [draws],
      payouts: [payouts],
      everything: [draws, payouts],
      pool: [pool],
    };
    const what = still.map((stop) => t(`still_${stop.name}`, { name: stop.pool_name ?? "" }));
    return [
      ...starting[target.name],
      ...(what.length > 0 ? [t("still", { what: what.join(t("ui:list_comma")) })] : []),
    ];
  };
}

/** Asks for a code, then starts the target. */
export function useStart(): (target: StopTarget) => void {
  const { t } = useTranslation("stop");
  const { act } = useAct(...STOP_LISTS);
  const text = useStartText();
  const stops = useStops() ?? [];
  return (target) => {
    const content = text(target, stops).map((sentence) => <p key={sentence}>{sentence}</p>);
    const words = { title: t(`start_title_${target.name}`), okText: t("start"), content };
    void act(startOf(target), { words });
  };
}

interface StartButtonProps extends Omit<ButtonProps, "onClick" | "target"> {
  target: StopTarget;
}

export function StartButton({ target, ...rest }: StartButtonProps) {
  const mayStart = useMayStart(target.name);
  const begin = useStart();
  return <Button {...rest} {...permissionProps(mayStart)} onClick={() => begin(target)} />;
}
