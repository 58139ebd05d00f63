import { Button } from "antd";
import type { ButtonProps } from "antd";
import { useTranslation } from "react-i18next";
import { useAct } from "#forms/act.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { useStartText } from "./start-text.ts";
import { STOP_LISTS, startOf, useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

/** Starts what is stopped, with a code. */
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
