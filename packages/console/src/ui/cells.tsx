import { CopyOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NOTHING, grouped } from "./format.ts";
import { useToast } from "./toast.tsx";

/** `12,345.60`; the unit is in the column's title. */
export function Money({ value }: { value: string | null }) {
  if (value === null) {
    return <>{NOTHING}</>;
  }
  return (
    <strong className={value.startsWith("-") ? "k-num k-negative" : "k-num"}>
      {grouped(value)}
    </strong>
  );
}

export function Count({ value }: { value: number }) {
  return <span className="k-num">{grouped(value)}</span>;
}

/** Date and time as on the wire. */
export function Moment({ value }: { value: string | null }) {
  return <span className="k-time">{value === null || value === "" ? NOTHING : value}</span>;
}

/** A name, cut to the cell's width, in cards after three lines; whole in the tooltip. */
export function Name({ value }: { value: string }) {
  return (
    <span className="k-name" title={value}>
      {value}
    </span>
  );
}

/** `start ~ end`; in the row of a list one above the other. */
export function Span({ start, end }: { start: string; end: string }) {
  return <span className="k-time k-span">{`${start} ~ ${end}`}</span>;
}

/** A long code, its beginning cut to the column's width, whole in the tooltip, with a copy button. */
export function Code({ value }: { value: string }) {
  const { t } = useTranslation("ui");
  const toast = useToast();
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => toast.success(t("copied")),
      () => toast.warning(t("copy_failed")),
    );
  };
  return (
    <span className="k-code">
      <Tooltip title={value}>
        <span className="k-ellipsis" dir="rtl">
          <bdi dir="ltr">{value}</bdi>
        </span>
      </Tooltip>
      <Button
        type="text"
        size="small"
        icon={<CopyOutlined aria-hidden="true" />}
        aria-label={t("copy_value", { value })}
        onClick={copy}
      />
    </span>
  );
}

export type Tone = "info" | "done" | "success" | "warning" | "danger" | "neutral";

interface StatusProps {
  tone: Tone;
  icon: ReactNode;
  children: ReactNode;
}

/** A state: icon and text; colour only helps. */
export function Status({ tone, icon, children }: StatusProps) {
  return (
    <span className={`k-status k-status-${tone}`}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </span>
  );
}

/** 是 / 否. */
export function YesNo({ value }: { value: boolean }) {
  const { t } = useTranslation("ui");
  return <>{value ? t("yes") : t("no")}</>;
}
