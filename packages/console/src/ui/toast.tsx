/** Shows short messages at the top of the page. A repeated message appears only once. */
import { TOAST_MS } from "@red/contract/platform/limits";
import { App } from "antd";
import { useMemo } from "react";

export type Toast = Readonly<Record<"success" | "warning" | "error", (text: string) => void>>;

export function useToast(): Toast {
  const { message } = App.useApp();
  return useMemo(() => {
    const show = (type: keyof Toast) => (content: string) => {
      void message.open({ key: `${type} ${content}`, type, content, duration: TOAST_MS / 1000 });
    };
    return { success: show("success"), warning: show("warning"), error: show("error") };
  }, [message]);
}
