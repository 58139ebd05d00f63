import { CopyOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NOTHING, grouped } from "./format.ts";
import { useToast } from "./toast.tsx";

/** Shows an amount as `12,345.60`. The title of the column contains the unit. */
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

/** Shows date and time as the API sends them. */
export function Moment({ value }: { value: string | null }) {
  return <span className="k-time">{value === null || value === "" ? NOTHING : value}</span>;
}

/** Shows a name, cut to the width of the cell. The tooltip has the whole name. */
export function Name({ value }: { value: string }) {
  return (
    <span className="k-name" title={value}>
      {value}
    </span>
  );
}

/** Shows `start ~ end`. In a list the end is on a second line. */
export function Span({ start, end }: { start: string; end: string }) {
  return <span className="k-time k-span">{`${start} ~ ${end}`}</span>;
}

/** Shows a long code with a copy button. The column cuts the code, and the tooltip has the whole code. */
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

/** Shows a state with icon and text, so that its meaning does not depend on the colour. */
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
