/** Stops everything, or only payouts, after a dialog that explains the effect (behaviour §5). */
import { PauseCircleOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAct } from "#forms/act.ts";
import { ReasonInput } from "#forms/reason-input.tsx";
import { SavingNote, useSaving } from "#forms/saving.tsx";
import { StartButton } from "./start-button.tsx";
import { STOP_LISTS, stopOf, useStops } from "./stops.ts";
import { onNotice } from "#lib/notices.ts";
import { useMay } from "#lib/session.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { DIALOG_WIDTH, Dialog } from "#ui/dialog.tsx";
import { useOpened } from "#ui/opened.tsx";

export function StopButton() {
  const { t } = useTranslation("stop");
  const stops = useStops() ?? [];
  const mayStop = useMay("stop.use");
  const { open, close, show } = useOpened<true>();
  useEffect(() => onNotice("stop", () => open(true)), [open]);
  if (!mayStop) {
    return null;
  }
  const isStopped = (name: "draws" | "payouts") => stops.some((one) => one.name === name);
  if (isStopped("draws") && isStopped("payouts")) {
    return (
      <StartButton
        target={{ name: "everything" }}
        className="s-stop"
        icon={<PlayCircleOutlined aria-hidden="true" />}
        aria-label={t("start_everything")}
      >
        <span className="s-stop-text">{t("start_everything")}</span>
      </StartButton>
    );
  }
  return (
    <>
      <Button
        danger
        className="s-stop"
        icon={<PauseCircleOutlined aria-hidden="true" />}
        aria-label={t("stop_everything")}
        onClick={() => open(true)}
      >
        <span className="s-stop-text">{t("stop_everything")}</span>
      </Button>
      {show(() => (
        <StopDialog isPaying={!isStopped("payouts")} onClose={close} />
      ))}
    </>
  );
}

function StopDialog({ isPaying, onClose }: { isPaying: boolean; onClose: () => void }) {
  const { t } = useTranslation(["stop", "ui"]);
  const { act } = useAct(...STOP_LISTS);
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const [reason, setReason] = useState("");
  const { busy, run, close, leave } = useSaving(onClose);
  const halt = (name: "everything" | "payouts") =>
    void run(() => act(stopOf({ name }, reason), { close }));
  return (
    <Dialog
      open
      title={t("stop_title")}
      width={DIALOG_WIDTH.small}
      centered
      onCancel={() => void leave()}
      // Set the focus on Cancel, so that Enter alone stops nothing.
      afterOpenChange={(isOpen) => isOpen && cancel.current?.focus()}
      footer={
        <>
          <SavingNote busy={busy} />
          <Button ref={cancel} onClick={() => void leave()}>
            {t("ui:cancel")}
          </Button>
          {isPaying && (
            <Button danger disabled={busy} onClick={() => halt("payouts")}>
              {t("stop_payouts")}
            </Button>
          )}
          <BusyButton type="primary" danger busy={busy} onClick={() => halt("everything")}>
            {t("stop_everything")}
          </BusyButton>
        </>
      }
    >
      <p>{t("stop_content")}</p>
      <div className="s-stop-reason">
        <label htmlFor={id}>{t("stop_reason")}</label>
        <ReasonInput id={id} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </Dialog>
  );
}
