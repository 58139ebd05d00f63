/**
 * Copies a round and its pool to another day (default today). The names are derived from the original (behaviour §3).
 */
import { useQuery } from "@tanstack/react-query";
import { Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { LOOKUP_SIZE, NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import { poolRoutes } from "@red/contract/pools/pool";
import { copiedRoundName, copyName, timesFrom } from "@red/engine/copy-round";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import { changeBy } from "#lib/api.ts";
import { useBusinessDay, useBusinessNow } from "#lib/clock.ts";
import { queryOf } from "#lib/query.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { DayPicker } from "#ui/date-time-picker.tsx";
import { useTimeRule } from "#ui/time-faults.ts";
import { DATE, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { saveEffect, valuesOf } from "./activity-values.ts";
import { RulePreview } from "./rule-preview.tsx";
import "./activity.css";

interface CopyValues {
  start_date?: Dayjs | null;
  pool_name?: string;
  rounds_name?: string;
  start_hour?: string;
  end_hour?: string;
}

interface CopyDialogProps {
  id: number;
  onClose: () => void;
}

/** Returns the preview of the copy for the chosen day. The preview is empty while the original loads. */
function useCopied(source: Activity | undefined, start_date: string, entered: CopyValues) {
  const pools = useQuery(queryOf(poolRoutes.list, {}));
  const query = { start_date, page: 1, size: LOOKUP_SIZE };
  const rounds = useQuery(queryOf(activityRoutes.list, { query }));
  if (source === undefined) {
    return {};
  }
  const poolNames = new Set(pools.data?.content.map(({ pool_name }) => pool_name));
  const roundNames = new Set(rounds.data?.content.map(({ rounds_name }) => rounds_name));
  const derived = {
    pool_name: copyName(source.pool_name, start_date, poolNames),
    rounds_name: copiedRoundName(source.rounds_name, start_date, roundNames),
  };
  const copy: Activity = {
    ...source,
    ...timesFrom(source, start_date, hoursOf(entered)),
    pool_name: nameOrUndefined(entered.pool_name) ?? derived.pool_name,
    rounds_name: nameOrUndefined(entered.rounds_name) ?? derived.rounds_name,
  };
  return { derived, copy };
}

/** Parses `20:00`, `9:05` or `2000` into the format of the engine. Returns undefined for other texts. */
function hourOf(text = ""): string | undefined {
  const [, hour = "", minute = ""] = /^(\d{1,2}):?(\d{2})$/.exec(text) ?? [];
  return Number(hour) < 24 && Number(minute) < 60 && hour !== ""
    ? `${hour.padStart(2, "0")}:${minute}:00`
    : undefined;
}

function hoursOf({ start_hour, end_hour }: CopyValues) {
  return { start_hour: hourOf(start_hour), end_hour: hourOf(end_hour) };
}

const isUnread = (text = "") => text !== "" && hourOf(text) === undefined;

/** Returns undefined for an empty name, because the server then derives a name. */
function nameOrUndefined(value: string | undefined): string | undefined {
  return value?.trim() === "" ? undefined : value?.trim();
}

export function CopyDialog({ id, onClose }: CopyDialogProps) {
  const { t } = useTranslation(["activity", "contract"]);
  const { send } = useAct(activityRoutes.list, poolRoutes.list);
  const query = useQuery(queryOf(activityRoutes.detail, { params: { id } }));
  const source = query.data;
  const today = useBusinessDay();
  const now = useBusinessNow();
  const [form] = Form.useForm<CopyValues>();
  const ready = source !== undefined;
  const initial = useMemo(() => (ready ? { start_date: dayjs(today) } : undefined), [ready, today]);
  const entered = Form.useWatch((all: CopyValues) => all, form) ?? {};
  const start_date = momentOf(entered.start_date)?.format(DATE) ?? today;
  const { copy, derived } = useCopied(source, start_date, entered);
  const isUntimed = isUnread(entered.start_hour) || isUnread(entered.end_hour);
  const effect = copy && !isUntimed ? saveEffect(copy, now, ROUND_ACTIVE) : undefined;
  const shown = copy && valuesOf(copy);
  const readable = useTimeRule("date");
  const named = { maxLength: NAME_LENGTH_MAX, autoComplete: "off" };

  const changeOf = (values: CopyValues) => {
    const body = {
      start_date: momentOf(values.start_date)?.format(DATE) ?? "",
      pool_name: nameOrUndefined(values.pool_name),
      rounds_name: nameOrUndefined(values.rounds_name),
      ...hoursOf(values),
    };
    return changeBy(activityRoutes.copy, { params: { id }, body });
  };

  if (query.isLoadingError) {
    return null;
  }
  return (
    <FormDialog<CopyValues>
      title={t("copy_of", { name: source?.rounds_name ?? "" })}
      width={DIALOG_WIDTH.editor}
      form={form}
      initial={initial}
      draftKey={`activity:copy:${id}`}
      okText={
        effect?.kind === "later"
          ? t("copy_later", { time: effect.at })
          : t(effect?.kind === "now" ? "copy_now" : "copy")
      }
      onSubmit={(values, close) =>
        send(checked(changeOf(values)), {
          text: (made) => t("copied", { name: made.rounds_name, pool: made.pool_name }),
          close,
        })
      }
      changeOf={(values) => (isUntimed ? null : changeOf(values))}
      onClose={onClose}
      aside={
        shown && (
          <RulePreview
            values={isUntimed ? { ...shown, start_time: null, end_time: null } : shown}
            // The overlap check leaves out no round, because the copy may overlap with its original.
            id={undefined}
            unread={isUntimed ? t("copy_untimed") : undefined}
            copy_of={source?.pool_name}
          />
        )
      }
    >
      <Form.Item
        name="start_date"
        label={t("copy_date")}
        rules={[{ required: true, message: t("contract:choose_copy_date") }, readable]}
        extra={
          isUntimed
            ? t("copy_untimed")
            : copy && t("copy_times", { start: copy.start_time, end: copy.end_time })
        }
      >
        <DayPicker />
      </Form.Item>
      <div className="a-grid a-grid-2">
        <HourField name="start_hour" time={copy?.start_time} />
        <HourField name="end_hour" time={copy?.end_time} />
      </div>
      <Form.Item name="pool_name" label={t("copy_pool_name")} extra={t("copy_pool_note")}>
        <Input {...named} placeholder={derived?.pool_name} title={derived?.pool_name} />
      </Form.Item>
      <FieldItem name="rounds_name">
        <Input {...named} placeholder={derived?.rounds_name} title={derived?.rounds_name} />
      </FieldItem>
    </FormDialog>
  );
}

interface HourFieldProps {
  name: "start_hour" | "end_hour";
  time: string | undefined;
}

/** Field for a time of the copy. An empty field keeps the time of the original, which is the placeholder. */
function HourField({ name, time = "" }: HourFieldProps) {
  const { t } = useTranslation("activity");
  return (
    <Form.Item
      name={name}
      label={t(name)}
      normalize={(text: string) => text.normalize("NFKC").trim()}
      validateTrigger="onBlur"
      rules={[
        {
          validator: (_, text?: string) =>
            isUnread(text) ? Promise.reject(new Error(t("hour_rule"))) : Promise.resolve(),
        },
      ]}
    >
      <Input autoComplete="off" maxLength={5} placeholder={time.slice(11, 16)} />
    </Form.Item>
  );
}
