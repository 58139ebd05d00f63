import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./busy-button.tsx";

interface BatchBarProps {
  children: ReactNode;
  text: string;
  notes: readonly string[];
  /** Selects rows of other pages too. Absent when everything is selected. */
  more?: { readonly text: string; readonly busy: boolean; readonly tick: () => void } | undefined;
  onClear: () => void;
}

export function BatchBar({ children, text, notes, more, onClear }: BatchBarProps) {
  const { t } = useTranslation("ui");
  return (
    <div className="k-toolbar k-batch">
      <div className="k-tools">
        <span className="k-batch-text" role="status">
          <strong>{text}</strong>
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
        {children}
        {more !== undefined && (
          <BusyButton type="link" busy={more.busy} onClick={more.tick}>
            {more.text}
          </BusyButton>
        )}
        <Button type="link" onClick={onClear}>
          {t("clear_selection")}
        </Button>
      </div>
    </div>
  );
}
