/** Short messages at the top of the page; a repeated message is not stacked. */
import { TOAST_MS } from "@red/contract/platform/limits";
import { App } from "antd";
import { useMemo } from "react";

export interface Toast {
  success(text: string): void;
  warning(text: string): void;
  error(text: string): void;
}

export function useToast(): Toast {
  const { message } = App.useApp();
  return useMemo(() => {
    const show = (type: "success" | "warning" | "error") => (content: string) => {
      void message.open({ key: `${type} ${content}`, type, content, duration: TOAST_MS / 1000 });
    };
    return { success: show("success"), warning: show("warning"), error: show("error") };
  }, [message]);
}
