/** Asks before an act that cannot be undone. "Cancel" has the focus, so that Enter alone changes nothing. */
import { App } from "antd";
import type { ReactNode } from "react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

export interface Question {
  title: string;
  content?: ReactNode;
  okText?: string;
  cancelText?: string;
  danger?: boolean;
  /** Aborting closes the question, which resolves to false. */
  signal?: AbortSignal;
}

export function useConfirm(): (question: Question) => Promise<boolean> {
  const { modal } = App.useApp();
  const { t } = useTranslation("ui");
  return useCallback(
    ({ title, content, okText, cancelText, danger = false, signal }: Question) =>
      new Promise<boolean>((resolve) => {
        const dialog = modal.confirm({
          title,
          content,
          // Toasts appear at the top and would cover the question.
          centered: true,
          okText: okText ?? t("ok"),
          cancelText: cancelText ?? t("cancel"),
          okButtonProps: { danger },
          focusable: { autoFocusButton: "cancel" },
          onOk: () => resolve(true),
          onCancel: () => resolve(false),
        });
        signal?.addEventListener("abort", () => {
          dialog.destroy();
          resolve(false);
        });
      }),
    [modal, t],
  );
}
