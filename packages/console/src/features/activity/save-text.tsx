import { Form } from "antd";
import type { FormInstance } from "antd";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/activity";
import { ROUND_ACTIVE } from "@red/contract/lookups";
import { useClock } from "#lib/clock.ts";
import { saveEffect, timeText } from "./activity-values.ts";
import type { ActivityValues, SaveEffect } from "./activity-values.ts";

/** A new activity starts; a running one only changes. */
function saveKey(kind: Exclude<SaveEffect["kind"], "later">, isNew: boolean) {
  if (kind === "plain") {
    return "save";
  }
  return kind === "now" && isNew ? "save_start" : (`save_${kind}` as const);
}

interface SaveTextProps {
  form: FormInstance<ActivityValues>;
  source: Activity | null;
  /** What the form will hold, until it is rendered. */
  initial: ActivityValues | undefined;
}

export function SaveText({ form, source, initial }: SaveTextProps) {
  const { t } = useTranslation("activity");
  const entered = Form.useWatch(
    ({ start_time, end_time }: ActivityValues) => ({ start_time, end_time }),
    form,
  );
  // An emptied field holds null.
  const times = {
    start_time: timeText(
      entered.start_time === undefined ? initial?.start_time : entered.start_time,
    ),
    end_time: timeText(entered.end_time === undefined ? initial?.end_time : entered.end_time),
  };
  return useClock((now) => {
    const effect = saveEffect(times, now, source?.rounds_status ?? ROUND_ACTIVE);
    return effect.kind === "later"
      ? t("save_later", { time: effect.at })
      : t(saveKey(effect.kind, source === null));
  });
}
