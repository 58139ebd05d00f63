/**
 * The filter form above a list. Values are texts, as in the address; Enter sends them, unless it
 * means something else (enter-guard.ts).
 */
import { DownOutlined, UpOutlined } from "@ant-design/icons";
import { Button, Form } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { blocksSubmit } from "./enter-guard.ts";
import { useIsMobile } from "./media.ts";
import { QueryControl, formValueOf, isSet, namesOf, textsOf } from "./query-field.tsx";
import type { QueryField, Values } from "./query-field.tsx";

interface QueryFormProps {
  /** Accessible name of the form. */
  label: string;
  /** Under this name the collapsed state is remembered. */
  id: string;
  fields: readonly QueryField[];
  values: Values;
  /** What the form asks for: every field by name, undefined where nothing is asked. */
  onQuery: (values: Values) => void;
  onReset: () => void;
  busy: boolean;
}

/** Up to so many fields there is nothing to collapse. */
const ALWAYS_SHOWN = 4;

function useCollapsed(id: string, byDefault: boolean): [boolean, () => void] {
  const key = `collapsed:${id}`;
  const [stored, setStored] = useState(() => localStorage.getItem(key));
  const collapsed = stored === null ? byDefault : stored === "1";
  const toggle = () => {
    const next = collapsed ? "0" : "1";
    localStorage.setItem(key, next);
    setStored(next);
  };
  return [collapsed, toggle];
}

/** Keeps Enter from sending while a word is composed or a range is half entered. */
function useEnterGuard() {
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onCompositionEndCapture: (event: React.CompositionEvent) => {
      compositionEndedAt.current = event.timeStamp;
    },
    onKeyDownCapture: (event: React.KeyboardEvent) => {
      if (blocksSubmit(event.nativeEvent, compositionEndedAt.current)) {
        event.preventDefault();
      }
    },
  };
}

export function QueryForm({ label, id, fields, values, onQuery, onReset, busy }: QueryFormProps) {
  const { t } = useTranslation("ui");
  const [form] = Form.useForm<Record<string, unknown>>();
  const isMobile = useIsMobile();
  const shown = isMobile ? 1 : ALWAYS_SHOWN;
  const [collapsed, toggle] = useCollapsed(id, isMobile);
  const guard = useEnterGuard();
  const collapsible = fields.length > shown;
  const hiddenSet = fields.slice(shown).filter((field) => isSet(field, values)).length;

  // The address is what holds: going back and forth must show the filters of that moment.
  const current = JSON.stringify(namesOf(fields).map((name) => values[name] ?? null));
  useEffect(() => {
    form.setFieldsValue(
      Object.fromEntries(fields.map((field) => [field.name, formValueOf(field, values)])),
    );
    // `current` stands for the values of all fields.
    // oxlint-disable-next-line react/exhaustive-deps -- field lists are rebuilt on every render
  }, [current, form]);

  const submit = (entered: Record<string, unknown>) => {
    onQuery(Object.assign({}, ...fields.map((field) => textsOf(field, entered[field.name]))));
  };

  return (
    <div className="k-query" {...guard}>
      <Form
        form={form}
        name={id}
        role="search"
        aria-label={label}
        className="k-query-form"
        onFinish={submit}
      >
        {fields.map((field, index) => (
          <Form.Item
            key={field.name}
            name={field.name}
            label={field.label}
            colon={false}
            htmlFor={`${id}_${field.name}`}
            className={`k-query-${field.kind}`}
            hidden={collapsible && collapsed && index >= shown}
          >
            <QueryControl field={field} id={`${id}_${field.name}`} />
          </Form.Item>
        ))}
        <div className="k-query-buttons">
          {collapsible && (
            <Button
              type="link"
              aria-expanded={!collapsed}
              icon={
                collapsed ? <DownOutlined aria-hidden="true" /> : <UpOutlined aria-hidden="true" />
              }
              iconPlacement="end"
              onClick={toggle}
            >
              {collapsed
                ? hiddenSet > 0
                  ? t("expand_set", { count: hiddenSet })
                  : t("expand")
                : t("collapse")}
            </Button>
          )}
          <Button onClick={onReset}>{t("reset")}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t("query")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
