import { Form } from "antd";
import { useTranslation } from "react-i18next";
import { useBusinessDay } from "#lib/clock.ts";
import { addTexts } from "#lib/language.ts";
import { ChoiceSelect } from "#ui/choice-select.tsx";
import { DateTimePicker } from "#ui/date-time-picker.tsx";
import { useTimeRule } from "#ui/time-faults.ts";
import { DATE_TIME, DAY_END, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { EXTRA_TIMES_TEXTS } from "./extra-times-texts.ts";
import { useTags } from "#rounds/activity-query.ts";
import { CheckCircleOutlined, ClockCircleOutlined, StopOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { ExtraTime } from "@red/contract/players/extra-times";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { FieldItem } from "#forms/field-item.tsx";
import { Status } from "#ui/cells.tsx";
import type { Tone } from "#ui/cells.tsx";

addTexts("extra_times", EXTRA_TIMES_TEXTS);

const APPLY: Record<ExtraTime["apply"], { tone: Tone; icon: ReactNode }> = {
  0: { tone: "info", icon: <ClockCircleOutlined /> },
  1: { tone: "success", icon: <CheckCircleOutlined /> },
  2: { tone: "neutral", icon: <StopOutlined /> },
};

/** Shows the state. If the extra time was taken back, also shows when, by whom and why. */
export function ApplyStatus({ apply, taken_back }: Pick<ExtraTime, "apply" | "taken_back">) {
  const { t } = useTranslation(["extra_times", "lookups"]);
  if (taken_back === null) {
    return <Status {...APPLY[apply]}>{t(`lookups:apply_${apply}`)}</Status>;
  }
  return (
    <div className="k-two-lines">
      <Status {...APPLY[apply]}>{t("gone")}</Status>
      <span className="k-note">{t("gone_why", taken_back)}</span>
    </div>
  );
}

export interface GroupValues {
  tag?: string;
  expire_time?: Dayjs | null;
}

export function expiryText(value: Dayjs | null | undefined): string {
  return momentOf(value)?.format(DATE_TIME) ?? "";
}

/** Lists to load again after extra times were granted or taken back. */
export const EXTRA_TIME_LISTS = [
  extraTimesRoutes.list,
  extraTimesRoutes.total,
  extraTimesRoutes.preview,
  playerViewRoutes.head,
  playerViewRoutes.explain,
] as const;

export function GroupFields() {
  const { t } = useTranslation("extra_times");
  const tags = useTags();
  const readable = useTimeRule("time");
  const today = dayjs(useBusinessDay());
  const endOf = (day: Dayjs) => day.endOf("day").millisecond(0);
  return (
    <>
      <Form.Item name="tag" label={t("tag")} required>
        <ChoiceSelect loading={tags.loading} options={tags.options} />
      </Form.Item>
      <FieldItem name="expire_time" required rules={[readable]}>
        {/* An extra time is valid up to and including this second. A day without a time ends with its last second. */}
        <DateTimePicker
          time={DAY_END}
          presets={[
            { label: t("in_7_days"), value: endOf(today.add(7, "day")) },
            { label: t("month_end"), value: endOf(today.endOf("month")) },
          ]}
        />
      </FieldItem>
    </>
  );
}
