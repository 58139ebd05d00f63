/**
 * A dialog whose save is under way. Nobody can call back what was sent: closing says so, and a save that
 * ends later closes its own dialog only.
 */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStillHere } from "#lib/still-here.ts";
import { useConfirm } from "#ui/confirm.tsx";
import type { Question } from "#ui/confirm.tsx";
import { useSeconds } from "#ui/list-state.ts";

/** From then on the operator is told that it takes time, as lists do. */
const SLOW_SECONDS = 3;

export type Close = (instead?: () => void) => void;

export interface Saving {
  readonly busy: boolean;
  /** Shows that it is under way while it lasts; what it rejects with is the caller's. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asks about closing; the question goes away when a save begins or ends, and then nobody agreed. */
  readonly ask: (question: Question) => Promise<boolean>;
  /** May the dialog be closed while its save may be under way? */
  readonly mayLeave: () => Promise<boolean>;
  /** Closes the dialog, or does `instead`, unless it is closed: another one may be open in its place. */
  readonly close: Close;
}

export function useSaving(onClose: () => void): Saving {
  const { t } = useTranslation("ui");
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const question = useRef<AbortController | null>(null);
  const isStillHere = useStillHere();
  useEffect(() => () => question.current?.abort(), []);

  const ask = async (asked: Question) => {
    question.current?.abort();
    const controller = new AbortController();
    question.current = controller;
    return await confirm({ ...asked, signal: controller.signal });
  };
  const run = async <T,>(work: () => Promise<T>): Promise<T> => {
    // Whether to discard is no question any more.
    question.current?.abort();
    setBusy(true);
    try {
      return await work();
    } finally {
      question.current?.abort();
      setBusy(false);
    }
  };
  const mayLeave = async () =>
    !busy ||
    (await ask({
      title: t("leave_saving_title"),
      content: t("leave_saving_content"),
      okText: t("leave_saving_ok"),
      cancelText: t("leave_saving_cancel"),
      danger: true,
    }));
  const close: Close = (instead = onClose) => {
    if (isStillHere()) {
      instead();
    }
  };
  return { busy, run, ask, mayLeave, close };
}

/** Beside the buttons: how long a save has taken, once that is long. */
export function SavingNote({ busy }: { busy: boolean }) {
  const { t } = useTranslation("ui");
  const seconds = useSeconds(busy);
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
