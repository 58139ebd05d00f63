import { CopyOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NOTHING, grouped } from "./format.ts";
import { useToast } from "./toast.tsx";

/** `12,345.60`; the unit is in the column's title. */
export function Money({ value }: { value: string | null }) {
  return value === null ? (
    NOTHING
  ) : (
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

/** A name, cut to the cell's width. The tooltip has all of it. */
export function Name({ value }: { value: string }) {
  return (
    <span className="k-name" title={value}>
      {value}
    </span>
  );
}

/** `start ~ end`; in a list the end is below the start. */
export function Span({ start, end }: { start: string; end: string }) {
  return <span className="k-time k-span">{`${start} ~ ${end}`}</span>;
}

/** A long code with a copy button. Its beginning is cut to the column's width; the tooltip has all of it. */
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

/** A state by icon and text; its meaning does not depend on the colour. */
export function Status({ tone, icon, children }: StatusProps) {
  return (
    <span className={`k-status k-status-${tone}`}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </span>
  );
}

export function YesNo({ value }: { value: boolean }) {
  const { t } = useTranslation("ui");
  return t(value ? "yes" : "no");
}
