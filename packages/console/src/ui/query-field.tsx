import { Input } from "antd";
import { useTranslation } from "react-i18next";
import { ChoiceSelect } from "./choice-select.tsx";
import { DayPicker, TimeRangePicker } from "./date-time-picker.tsx";
import { DigitsInput } from "./digits-input.tsx";
import { DATE, DATE_TIME, momentOf } from "./typed-time.ts";
import { dayjs } from "./wall-time.ts";
import type { Dayjs } from "./wall-time.ts";

export type Values = Readonly<Record<string, string | undefined>>;

interface Base {
  readonly name: string;
  readonly label: string;
  readonly required?: string;
  readonly disabled?: boolean;
  readonly normalize?: (text: string) => string;
  /** True if the value of another field makes this field irrelevant. */
  readonly hidden?: boolean;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export type QueryField =
  | (Base & { readonly kind: "text" | "digits" | "date" })
  | (Base & {
      readonly kind: "select";
      readonly options: readonly Choice[];
      readonly loading?: boolean;
    })
  | (Base & {
      readonly kind: "range";
      /** Search parameters for start and end, as `yyyy-MM-dd HH:mm:ss`. */
      readonly start: string;
      readonly end: string;
      /** The current business day, `yyyy-MM-dd`. The component library would use the date of the browser. */
      readonly today: string;
    });

export function selectField<const V extends string | number>(
  name: string,
  label: string,
  values: readonly V[],
  labelOf: (value: V) => string,
): QueryField & { readonly kind: "select" } {
  const options = values.map((value) => ({ value: String(value), label: labelOf(value) }));
  return { kind: "select", name, label, options };
}

export function namesOf(fields: readonly QueryField[]): string[] {
  return fields.flatMap((field) =>
    field.kind === "range" ? [field.start, field.end] : [field.name],
  );
}

export function isSet(field: QueryField, values: Values): boolean {
  return namesOf([field]).some((name) => values[name] !== undefined);
}

function parse(text: string | undefined): Dayjs | null {
  const parsed = dayjs(text ?? "");
  return text !== undefined && parsed.isValid() ? parsed : null;
}

/** Converts the values of the form to search parameters. */
export function enteredTexts(
  fields: readonly QueryField[],
  entered: Readonly<Record<string, unknown>>,
): Values {
  return Object.assign({}, ...fields.map((field) => textsOf(field, entered[field.name])));
}

/** Converts the search parameters to the form value of one field. */
export function formValueOf(field: QueryField, values: Values): unknown {
  if (field.kind === "range") {
    const ends = [parse(values[field.start]), parse(values[field.end])];
    return ends.some((end) => end !== null) ? ends : null;
  }
  const value = values[field.name];
  return field.kind === "date" ? parse(value) : value;
}

/** Converts the form value of one field to search parameters. */
export function textsOf(field: QueryField, value: unknown): Values {
  if (field.kind === "range") {
    const [start, end]: unknown[] = Array.isArray(value) ? value : [];
    return {
      [field.start]: momentOf(start)?.format(DATE_TIME),
      [field.end]: momentOf(end)?.format(DATE_TIME),
    };
  }
  if (field.kind === "date") {
    return { [field.name]: momentOf(value)?.format(DATE) };
  }
  const text = typeof value === "string" ? value.trim() : "";
  return { [field.name]: text === "" ? undefined : text };
}

function useRangePresets(today: string) {
  const { t } = useTranslation("ui");
  const day = dayjs(today);
  const days = (first: Dayjs, last: Dayjs): [Dayjs, Dayjs] => [
    first.startOf("day"),
    last.endOf("day").millisecond(0),
  ];
  return [
    { label: t("today"), value: days(day, day) },
    { label: t("yesterday"), value: days(day.subtract(1, "day"), day.subtract(1, "day")) },
    { label: t("last_7_days"), value: days(day.subtract(6, "day"), day) },
    { label: t("this_month"), value: days(day.startOf("month"), day) },
  ];
}

interface ControlProps<F> {
  field: F;
  id: string;
  disabled?: boolean;
}

function RangeControl({ field, ...shared }: ControlProps<QueryField & { kind: "range" }>) {
  const presets = useRangePresets(field.today);
  return (
    <div data-range="">
      <TimeRangePicker {...shared} label={field.label} presets={presets} />
    </div>
  );
}

/** The control of a field. It passes on `value` and `onChange`, which its form item sets. */
export function QueryControl({ field, ...rest }: ControlProps<QueryField>) {
  const { t } = useTranslation("ui");
  const shared = { ...rest, disabled: field.disabled === true };
  switch (field.kind) {
    case "text":
      return <Input {...shared} allowClear autoComplete="off" maxLength={128} />;
    case "digits":
      return <DigitsInput {...shared} allowClear maxLength={16} />;
    case "date":
      return <DayPicker {...shared} />;
    case "select":
      return (
        <ChoiceSelect
          {...shared}
          allowClear
          loading={field.loading === true}
          placeholder={t(field.required === undefined ? "all" : "choose")}
          options={[...field.options]}
          showSearch={field.options.length > 8 ? { optionFilterProp: "label" } : false}
        />
      );
    case "range":
      return <RangeControl {...shared} field={field} />;
  }
}
