import { Button } from "antd";
import type { ButtonProps } from "antd";
import { useTranslation } from "react-i18next";
import { settled } from "#lib/api.ts";
import { barred } from "#lib/barred.ts";
import { useToast } from "#ui/toast.tsx";
import { useStartText } from "./start-text.ts";
import { start, useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

/** Starts what is stopped, with a code. */
export function useStart(): (target: StopTarget) => Promise<void> {
  const { t } = useTranslation("stop");
  const toast = useToast();
  const text = useStartText();
  const stops = useStops() ?? [];
  return async (target) => {
    const content = text(target, stops).map((sentence) => <p key={sentence}>{sentence}</p>);
    const words = { title: t(`start_title_${target.name}`), okText: t("start"), content };
    const started = await settled(start(target, words));
    if (started.ok) {
      toast.success(started.data);
    }
  };
}

interface StartButtonProps extends Omit<ButtonProps, "onClick" | "target"> {
  target: StopTarget;
}

export function StartButton({ target, ...rest }: StartButtonProps) {
  const mayStart = useMayStart(target.name);
  const begin = useStart();
  return <Button {...rest} {...barred(mayStart)} onClick={() => void begin(target)} />;
}
