import { Button } from "antd";
import type { ButtonProps } from "antd";
import { useTranslation } from "react-i18next";
import { barred } from "#lib/barred.ts";
import { useOpened } from "#ui/opened.tsx";
import { useToast } from "#ui/toast.tsx";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { useStartText } from "./start-text.ts";
import { start, useMayStart, useStops } from "./stops.ts";
import type { StopTarget } from "./stops.ts";

export function StartDialog({ target, onClose }: { target: StopTarget; onClose: () => void }) {
  const { t } = useTranslation("stop");
  const toast = useToast();
  const text = useStartText();
  const stops = useStops() ?? [];
  const onCode = async (code: string) => {
    const { isRight, message } = await start(target, code);
    if (isRight) {
      toast.success(message);
    }
    return isRight ? null : message;
  };
  return (
    <CodeDialog
      title={t(`start_title_${target.name}`)}
      okText={t("start")}
      onCode={onCode}
      onClose={onClose}
    >
      {text(target, stops).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </CodeDialog>
  );
}

interface StartButtonProps extends Omit<ButtonProps, "onClick" | "target"> {
  target: StopTarget;
}

export function StartButton({ target, ...rest }: StartButtonProps) {
  const mayStart = useMayStart(target.name);
  const { open, close, show } = useOpened<true>();
  return (
    <>
      <Button {...rest} {...barred(mayStart)} onClick={() => open(true)} />
      {mayStart && show(() => <StartDialog target={target} onClose={close} />)}
    </>
  );
}
