/** Asks before an action that cannot be undone. "Cancel" has the focus, so pressing only Enter changes nothing. */
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
  /** An abort closes the question, which then resolves to false. */
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
          // Centred, because toasts at the top would cover the question.
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
