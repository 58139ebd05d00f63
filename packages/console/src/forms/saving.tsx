/**
 * Handles saving in a dialog. A change that was sent cannot be undone, and the end of a save closes only the dialog
 * that sent the change.
 */
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAskedProof } from "#lib/proof.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import type { Question } from "#ui/confirm.tsx";
import { useSeconds } from "#ui/list-state.ts";

const SLOW_SECONDS = 3;

/** Returns whether the request is running. It is not running while the operator is asked for a reason or code. */
function useIsSent(busy: boolean): boolean {
  const asked = useAskedProof();
  return busy && (asked === null || asked.isSending);
}

export type Close = (instead?: () => void) => void;

export function useSaving(onClose: () => void) {
  const { t } = useTranslation("ui");
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const question = useRef<AbortController | null>(null);
  const isOnPage = useOnPage();
  useEffect(() => () => question.current?.abort(), []);

  /** Asks whether to close. When a save starts or ends, the question is removed and resolves to false. */
  const ask = async (options: Question) => {
    question.current?.abort();
    const controller = new AbortController();
    question.current = controller;
    return await confirm({ ...options, signal: controller.signal });
  };
  /** Sets `busy` while `work` runs. Rejects with the error of `work`. */
  const run = async <T,>(work: () => Promise<T>): Promise<T> => {
    // Removes an open question about discarding input, because it no longer applies.
    question.current?.abort();
    setBusy(true);
    try {
      return await work();
    } finally {
      question.current?.abort();
      setBusy(false);
    }
  };
  const isSent = useIsSent(busy);
  const askToLeave = (what: "leave" | "leave_saving") =>
    ask({
      title: t(`${what}_title`),
      content: t(`${what}_content`),
      okText: t(`${what}_ok`),
      cancelText: t(`${what}_cancel`),
      danger: true,
    });
  const mayDiscard = () => askToLeave("leave");
  const mayLeave = async () => !busy || (await askToLeave(isSent ? "leave_saving" : "leave"));
  /**
   * Closes the dialog, or runs `instead`. Does nothing if the dialog is already closed, because another dialog may be
   * open.
   */
  const close: Close = (instead = onClose) => {
    if (isOnPage()) {
      instead();
    }
  };
  /** Closes the dialog unless the operator chooses to wait for the save. */
  const leave = async () => {
    if (await mayLeave()) {
      close();
    }
  };
  return { busy, run, ask, mayLeave, mayDiscard, close, leave };
}

/** Shows beside the buttons how long a slow save has taken so far. */
export function SavingNote({ busy }: { busy: boolean }) {
  const { t } = useTranslation("ui");
  const seconds = useSeconds(useIsSent(busy));
  const isSlow = seconds >= SLOW_SECONDS;
  return (
    <>
      {isSlow && <span className="k-saving k-num">{t("still_saving", { seconds })}</span>}
      <span className="sr-only" role="status">
        {isSlow && t("still_saving_told")}
      </span>
    </>
  );
}

interface SavingFooterProps {
  busy: boolean;
  okText: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSave: () => void;
  /** Adds a button that saves and opens the form for another entry. */
  onSaveMore?: () => void;
  onLeave: () => Promise<void>;
}

export function SavingFooter(props: SavingFooterProps) {
  const { busy, okText, onSave, onSaveMore, onLeave, ...rest } = props;
  const { t } = useTranslation("ui");
  const isSent = useIsSent(busy);
  return (
    <>
      <SavingNote busy={busy} />
      <Button onClick={() => void onLeave()}>{t("cancel")}</Button>
      {onSaveMore && (
        <Button disabled={busy || rest.disabled === true} onClick={onSaveMore}>
          {t("save_more")}
        </Button>
      )}
      <BusyButton {...rest} type="primary" busy={isSent} onClick={onSave}>
        {okText}
      </BusyButton>
    </>
  );
}
