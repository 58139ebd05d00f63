/** What became of an extra time (spec §4): icon and text. */
import { CheckCircleOutlined, ClockCircleOutlined, StopOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ExtraTime } from "@red/contract/extra-times";
import { Status } from "#ui/cells.tsx";
import type { Tone } from "#ui/cells.tsx";

const APPLY: Record<ExtraTime["apply"], { tone: Tone; icon: ReactNode }> = {
  0: { tone: "info", icon: <ClockCircleOutlined /> },
  1: { tone: "success", icon: <CheckCircleOutlined /> },
  2: { tone: "neutral", icon: <StopOutlined /> },
};

export function ApplyStatus({ apply }: Pick<ExtraTime, "apply">) {
  const { t } = useTranslation("lookups");
  return <Status {...APPLY[apply]}>{t(`apply_${apply}`)}</Status>;
}
