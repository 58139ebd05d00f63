/** The ten presets of spec §9 as cards. A chosen card fills in codes, value and draws. */
import { Form } from "antd";
import { useTranslation } from "react-i18next";
import { PRESETS } from "@red/contract/platform/codes";
import type { Preset } from "@red/contract/platform/codes";
import { isOpen, presetOf } from "./activity-state.ts";
import type { ActivityValues } from "./activity-values.ts";
import type { FormInstance } from "antd";

function fieldsOf(preset: Preset) {
  const open = isOpen(preset.condition_name);
  return {
    condition_name: preset.condition_name,
    condition_formula: open ? undefined : preset.condition_formula,
    condition_type: open ? undefined : preset.condition_type,
    condition_value: preset.value,
    condition_times: preset.times,
  };
}

/** Works like `useWatch`, but returns a value in the first render, so that a filled form renders only once. */
export function useEntered<V extends object, T>(form: FormInstance<V>, read: (values: V) => T): T {
  Form.useWatch(read, form);
  return read(form.getFieldsValue(true) as V);
}

export function PresetCards() {
  const { t } = useTranslation(["activity", "lookups"]);
  const form = Form.useFormInstance<ActivityValues>();
  const chosen = useEntered(form, (values) => presetOf(values)?.key);

  const choose = (preset: Preset) => {
    const fields = Object.entries(fieldsOf(preset)) as [keyof ActivityValues, unknown][];
    form.setFields(fields.map(([name, value]) => ({ name, value, errors: [], touched: true })));
  };

  const defaults = (preset: Preset): string => {
    if (preset.key === "whitelist") {
      return t("preset_granted");
    }
    return isOpen(preset.condition_name)
      ? t("preset_times", { count: preset.times, times: preset.times })
      : t("preset_value", { count: preset.times, value: preset.value, times: preset.times });
  };

  return (
    <fieldset className="a-presets">
      <legend>{t("presets")}</legend>
      <div className="a-preset-grid">
        {PRESETS.map((preset) => (
          <label
            key={preset.key}
            className={preset.key === chosen ? "a-preset a-preset-chosen" : "a-preset"}
          >
            <input
              type="radio"
              name="preset"
              className="sr-only"
              checked={preset.key === chosen}
              onChange={() => choose(preset)}
            />
            <span className="a-preset-name">{t(`lookups:preset_${preset.key}`)}</span>
            <span className="a-preset-value">{defaults(preset)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
