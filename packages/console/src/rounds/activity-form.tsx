/** The fields of an activity, with the order and messages of the specification (spec §5). */
import { useQuery } from "@tanstack/react-query";
import { AutoComplete, Button, Form, Input, Select, Space } from "antd";
import type { FormRule } from "antd";
import { useTranslation } from "react-i18next";
import {
  DRAW_COUNT_MAX,
  DRAW_COUNT_MIN,
  NAME_LENGTH_MAX,
  RED_CODE_LENGTH_MAX,
  TURNOVER_MAX,
  TURNOVER_MIN,
} from "@red/contract/platform/limits";
import {
  CONDITION_FORMULAS,
  CONDITION_NAMES,
  CONDITION_TYPES,
  PLATFORM_CODES,
} from "@red/contract/platform/codes";
import { parseCents } from "@red/contract/platform/money";
import { poolRoutes } from "@red/contract/pools/pool";
import { redCodeRoutes } from "@red/contract/rounds/tag";
import { text } from "@red/contract/platform/texts";
import type { TextKey } from "@red/contract/platform/texts";
import { FieldItem } from "#forms/field-item.tsx";
import { useLanguage } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { ChoiceSelect } from "#ui/choice-select.tsx";
import { DateTimePicker } from "#ui/date-time-picker.tsx";
import { plainAmount, plainNumber } from "#ui/plain-number.ts";
import { useTimeRule } from "#ui/time-faults.ts";
import { DAY_END, DAY_START } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { useTags } from "./activity-query.ts";
import { isOpen } from "./activity-state.ts";
import { limitOf } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";
import { PresetCards, useEntered } from "./preset-cards.tsx";
import "./activity.css";

function useNeeded(): (key: TextKey, type?: "string" | "number") => FormRule {
  const language = useLanguage();
  return (key, type = "string") => ({
    required: true,
    whitespace: type === "string",
    type,
    message: text(key, language),
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function matches(typed: string, option: { value: string; label: string } | undefined): boolean {
  return option?.label.toLowerCase().includes(typed.trim().toLowerCase()) ?? false;
}

interface ActivityFormProps {
  /** Opens the table for a new pool. The field then contains the new pool. */
  onNewPool: () => void;
}

function BaseFields({ onNewPool }: ActivityFormProps) {
  const { t } = useTranslation(["activity", "fields", "grid"]);
  const mayWritePools = useMay("pool.write");
  const needed = useNeeded();
  const tags = useTags();
  const pools = useQuery(queryOf(poolRoutes.list, {}));
  const codes = useQuery(queryOf(redCodeRoutes.list, {}));
  return (
    <fieldset className="a-section">
      <legend>{t("section_base")}</legend>
      <div className="a-grid a-grid-2">
        <FieldItem name="rounds_name" rules={[needed("enter_rounds_name")]}>
          <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />
        </FieldItem>
        <FieldItem name="tag" rules={[needed("enter_tag")]}>
          <ChoiceSelect allowClear loading={tags.loading} options={tags.options} />
        </FieldItem>
        <FieldItem name="red_code" rules={[needed("enter_red_code")]}>
          <AutoComplete
            options={(codes.data?.content ?? []).map(({ red_code, label }) => ({
              value: red_code,
              label: t("red_code_option", { code: red_code, label }),
            }))}
            showSearch={{ filterOption: matches }}
          >
            <Input maxLength={RED_CODE_LENGTH_MAX} autoComplete="off" />
          </AutoComplete>
        </FieldItem>
        <Form.Item label={t("fields:pool_name")} htmlFor="pool_name" required>
          <Space.Compact block>
            <Form.Item name="pool_name" noStyle rules={[needed("choose_pool")]}>
              <Select
                loading={pools.isPending}
                showSearch={{ optionFilterProp: "label" }}
                options={(pools.data?.content ?? []).map(({ pool_name, prizes }) => ({
                  value: pool_name,
                  label: t("pool_option", { name: pool_name, count: prizes, prizes }),
                }))}
              />
            </Form.Item>
            {mayWritePools && <Button onClick={onNewPool}>{t("grid:new_pool")}</Button>}
          </Space.Compact>
        </Form.Item>
      </div>
    </fieldset>
  );
}

function LimitField({ name }: { name: "draws_max" | "day_draws_max" }) {
  const { t } = useTranslation("activity");
  const limitRule: FormRule = {
    validator: (_, value: string | undefined) =>
      limitOf(value) === undefined ? Promise.reject(new Error(t("limit_rule"))) : Promise.resolve(),
  };
  return (
    <FieldItem
      name={name}
      normalize={plainNumber}
      // Validate during typing, because the operator could think that 0 means "no limit".
      validateTrigger="onChange"
      rules={[limitRule]}
      extra={name === "day_draws_max" && t("day_draws_hint")}
    >
      <Input inputMode="numeric" autoComplete="off" maxLength={9} placeholder={t("no_limit")} />
    </FieldItem>
  );
}

/** Fields of the condition. A preset fills these fields, but any other combination is possible. */
function ConditionFields() {
  const { t } = useTranslation(["activity", "lookups"]);
  const needed = useNeeded();
  const form = Form.useFormInstance<ActivityValues>();
  const { open, bets, whitelist } = useEntered(form, ({ condition_name }) => ({
    open: isOpen(condition_name),
    bets: condition_name === CONDITION_NAMES.bet,
    whitelist: condition_name === CONDITION_NAMES.whitelist,
  }));

  const amountRule: FormRule = {
    validator: (_, value: string | undefined) =>
      open || value === undefined || value === "" || (parseCents(value) ?? 0) > 0
        ? Promise.resolve()
        : Promise.reject(new Error(t("amount_rule"))),
  };

  const empty = (...names: readonly (keyof ActivityValues)[]) =>
    form.setFields(names.map((name) => ({ name, value: undefined, errors: [] })));
  const chooseSource = (source: string) => {
    if (isOpen(source)) {
      form.setFieldsValue({ condition_value: "0" });
      empty("condition_formula", "condition_type");
    } else if (open) {
      empty("condition_value");
    }
  };

  return (
    <fieldset className="a-section">
      <legend>{t("section_condition")}</legend>
      <PresetCards />
      <div className="a-grid a-grid-3">
        <FieldItem name="condition_name" rules={[needed("choose_condition")]}>
          <Select
            onChange={chooseSource}
            options={[
              { value: CONDITION_NAMES.deposit, label: t("source_deposit") },
              { value: CONDITION_NAMES.bet, label: t("source_bet") },
              { value: CONDITION_NAMES.no_limit, label: t("no_limit") },
              { value: CONDITION_NAMES.whitelist, label: t("source_whitelist") },
            ]}
          />
        </FieldItem>
        <FieldItem
          name="condition_formula"
          required={!open}
          rules={open ? [] : [{ required: true, message: t("choose_formula") }]}
        >
          <Select
            disabled={open}
            options={[
              { value: CONDITION_FORMULAS.cumulative, label: t("formula_cumulative") },
              { value: CONDITION_FORMULAS.single, label: t("formula_single") },
            ]}
          />
        </FieldItem>
        <FieldItem
          name="condition_value"
          normalize={plainAmount}
          rules={[needed("enter_condition_value"), amountRule]}
        >
          <Input inputMode="decimal" autoComplete="off" maxLength={20} disabled={open} />
        </FieldItem>
        <FieldItem
          name="condition_times"
          rules={[needed("choose_condition_times", "number")]}
          extra={whitelist ? t("whitelist_note") : undefined}
        >
          <Select
            options={range(DRAW_COUNT_MIN, DRAW_COUNT_MAX).map((count) => ({
              value: count,
              label: t("times_option", { count }),
            }))}
          />
        </FieldItem>
        <FieldItem
          name="condition_type"
          required={!open}
          rules={open ? [] : [needed("choose_condition_type")]}
        >
          <Select
            disabled={open}
            options={[
              { value: CONDITION_TYPES.repeatable, label: t("type_repeatable") },
              { value: CONDITION_TYPES.once, label: t("type_once") },
            ]}
          />
        </FieldItem>
        <FieldItem name="turnover" rules={[needed("choose_turnover", "number")]}>
          <Select
            options={range(TURNOVER_MIN, TURNOVER_MAX).map((count) => ({
              value: count,
              label: t("turnover_option", { count }),
            }))}
          />
        </FieldItem>
        <LimitField name="draws_max" />
        <LimitField name="day_draws_max" />
        {bets && (
          <FieldItem name="platforms">
            <Select
              mode="multiple"
              allowClear
              placeholder={t("all_platforms")}
              showSearch={{ optionFilterProp: "label" }}
              options={PLATFORM_CODES.map((code) => ({
                value: code,
                label: t(`lookups:platform_${code}`),
              }))}
            />
          </FieldItem>
        )}
      </div>
    </fieldset>
  );
}

interface TimeFieldProps {
  name: "achieve_start_time" | "achieve_end_time" | "start_time" | "end_time";
  label: string;
}

function TimeField({ name, label }: TimeFieldProps) {
  const { t } = useTranslation("contract");
  const after = name === "end_time" ? "start_time" : "achieve_start_time";
  const isEnd = name.endsWith("end_time");
  const start = Form.useWatch<Dayjs | null>(after);
  const readable = useTimeRule("time");
  return (
    <Form.Item
      name={name}
      label={label}
      dependencies={isEnd ? [after] : []}
      rules={[
        { required: true, message: t("choose_date_time") },
        readable,
        ({ getFieldValue }) => ({
          validator: (_, value: Dayjs | null) => {
            const start: Dayjs | null | undefined = getFieldValue(after);
            return isEnd && value?.isBefore(start ?? value) === true
              ? Promise.reject(new Error(t("end_after_start")))
              : Promise.resolve();
          },
        }),
      ]}
    >
      <DateTimePicker
        time={isEnd ? DAY_END : DAY_START}
        {...(isEnd && start && { after: start })}
      />
    </Form.Item>
  );
}

/** Returns the usual times of a round, in business time. */
function usualTimes() {
  const today = dayjs().startOf("day");
  const allOf = (first: Dayjs, last: Dayjs) => [first, last.endOf("day").millisecond(0)] as const;
  const eveningOf = (day: Dayjs) => [day.hour(20), day.hour(22)] as const;
  const tomorrow = today.add(1, "day");
  // On a Sunday the weekend is only that day.
  const saturday = today.add(Math.max(0, 6 - (today.day() || 7)), "day");
  const sunday = today.add((7 - today.day()) % 7, "day");
  return {
    ...(dayjs().isBefore(today.hour(22))
      ? { preset_tonight: eveningOf(today) }
      : { preset_next_evening: eveningOf(tomorrow) }),
    preset_today: allOf(today, today),
    preset_tomorrow: allOf(tomorrow, tomorrow),
    preset_weekend: allOf(saturday, sunday),
  } as const;
}

/**
 * Fills the times of the round. An empty condition window is set from midnight of the first day to the end of the
 * round.
 */
function TimePresets() {
  const { t } = useTranslation("activity");
  const form = Form.useFormInstance<ActivityValues>();
  const choose = ([start_time, end_time]: readonly [Dayjs, Dayjs]) => {
    const window = form.getFieldsValue(["achieve_start_time", "achieve_end_time"]);
    const isEmpty = (window.achieve_start_time ?? window.achieve_end_time ?? null) === null;
    const times = {
      start_time,
      end_time,
      ...(isEmpty && {
        achieve_start_time: start_time.startOf("day"),
        achieve_end_time: end_time,
      }),
    };
    const names = ["achieve_start_time", "achieve_end_time", "start_time", "end_time"] as const;
    form.setFieldsValue(times);
    // The errors belong to the earlier values.
    form.setFields(names.map((name) => ({ name, errors: [], touched: true })));
  };
  return (
    <div role="group" aria-label={t("time_presets")} className="a-times">
      {Object.entries(usualTimes()).map(([name, span]) => (
        <Button key={name} size="small" onClick={() => choose(span)}>
          {t(name as keyof ReturnType<typeof usualTimes>)}
        </Button>
      ))}
      <span className="k-note">{t("time_typing")}</span>
    </div>
  );
}

function TimeFields() {
  const { t } = useTranslation(["activity", "fields"]);
  const form = Form.useFormInstance<ActivityValues>();
  const sameAsActivity = () => {
    const { start_time, end_time } = form.getFieldsValue(["start_time", "end_time"]);
    form.setFieldsValue({
      achieve_start_time: start_time ?? null,
      achieve_end_time: end_time ?? null,
    });
  };
  return (
    <fieldset className="a-section">
      <legend>{t("section_time")}</legend>
      <TimePresets />
      <div className="a-grid a-grid-2">
        <TimeField name="achieve_start_time" label={t("fields:achieve_start_time")} />
        <TimeField name="achieve_end_time" label={t("fields:achieve_end_time")} />
        <TimeField name="start_time" label={t("activity_start_time")} />
        <TimeField name="end_time" label={t("activity_end_time")} />
      </div>
      <Button type="link" size="small" className="a-same" onClick={sameAsActivity}>
        {t("same_as_activity")}
      </Button>
    </fieldset>
  );
}

export function ActivityForm({ onNewPool }: ActivityFormProps) {
  return (
    <>
      <BaseFields onNewPool={onNewPool} />
      <ConditionFields />
      <TimeFields />
    </>
  );
}
