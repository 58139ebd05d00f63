/**
 * The filter form above a list. Values are texts, as in the address; Enter sends them, unless it
 * means something else (enter-guard.ts).
 */
import { DownOutlined, UpOutlined } from "@ant-design/icons";
import type { FieldFault } from "@red/contract/envelope";
import { Button, Form } from "antd";
import type { FormInstance } from "antd";
import { useEffect, useImperativeHandle } from "react";
import type { Ref } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useEnterGuard } from "./enter-guard.ts";
import { unmark } from "./field-marks.ts";
import { useIsMobile } from "./media.ts";
import { QueryControl, enteredTexts, formValueOf, isSet, namesOf } from "./query-field.tsx";
import type { QueryField, Values } from "./query-field.tsx";
import { useStored } from "./stored.ts";
import { tellUnread, useTimeRule } from "./time-faults.ts";
import { useToast } from "./toast.tsx";

export interface QueryFormHandle {
  /**
   * Hands on what the form says, asked for or not. Where a query would refuse it, this does, in the same
   * way. `act` resolves to whether it was done.
   */
  withEntered: (act: (entered: Values) => Promise<boolean>) => Promise<void>;
}

interface QueryFormProps {
  /** Accessible name of the form. */
  label: string;
  /** Where other forms stand beside it. */
  heading?: string;
  /** Under this name the collapsed state is remembered. */
  id: string;
  fields: readonly QueryField[];
  values: Values;
  /** What the form asks for: every field by name, undefined where nothing is asked. */
  onQuery: (values: Values) => void;
  onReset: () => void;
  /** Where a page reads or fills in what is entered but not asked for yet. */
  form?: FormInstance<Entered>;
  onEntered?: (changed: Entered) => void;
  /** What is wrong with what would be asked; each fault is told at its field, nothing is asked. */
  check?: (values: Values) => readonly FieldFault[];
  /** The texts of the required fields that are empty, in the order of the fields. */
  onMissing?: (texts: readonly string[]) => void;
  ref?: Ref<QueryFormHandle>;
}

/** What the fields of the form hold, by name. */
export type Entered = Record<string, unknown>;

/** What was not done because of a wrong filter. */
type Told = "query_refused" | "export_refused";

/** What the library rejects with when fields break their rules. */
interface Refused {
  errorFields: { name: readonly unknown[]; errors: readonly string[] }[];
}

/** Up to so many fields there is nothing to collapse. */
const ALWAYS_SHOWN = 4;

function useCollapsed(id: string, byDefault: boolean): [boolean, () => void] {
  const [stored, store] = useStored(`collapsed:${id}`);
  const collapsed = stored === null ? byDefault : stored === "1";
  return [collapsed, () => store(collapsed ? "0" : "1")];
}

interface QueryItemProps {
  field: QueryField;
  id: string;
  hidden: boolean;
}

function QueryItem({ field, id, hidden }: QueryItemProps) {
  const { name, label, kind, required } = field;
  const readable = useTimeRule(kind);
  return (
    <Form.Item
      name={name}
      label={label}
      colon={false}
      htmlFor={id}
      className={`k-query-${kind}`}
      rules={[
        // A blank text is no answer; the others are no texts, which the rule would demand.
        ...(required === undefined
          ? []
          : [{ required: true, ...(kind === "text" && { whitespace: true }), message: required }]),
        readable,
      ]}
      hidden={hidden}
    >
      <QueryControl field={field} id={id} />
    </Form.Item>
  );
}

export function QueryForm(props: QueryFormProps) {
  const { label, id, fields, values, onReset, onEntered, onMissing } = props;
  const { t } = useTranslation("ui");
  const toast = useToast();
  const [form] = Form.useForm<Entered>(props.form);
  const isMobile = useIsMobile();
  const shown = isMobile ? 1 : ALWAYS_SHOWN;
  const [collapsed, toggle] = useCollapsed(id, isMobile);
  const guard = useEnterGuard();
  // What must be filled in is never out of sight.
  const collapsible =
    fields.length > shown && fields.every((field) => field.required === undefined);
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

  // Also what was entered and never asked for, which the address does not know of.
  const reset = () => {
    form.resetFields();
    onReset();
  };
  /* What the fields say, or null and the faults of it told. */
  const checked = (entered: Entered, told: Told): Values | null => {
    const asked = enteredTexts(fields, entered);
    const refused = props.check?.(asked) ?? [];
    const [first] = refused;
    if (first === undefined) {
      return asked;
    }
    const nameOf = (fault: FieldFault) =>
      fields.find((field) => namesOf([field]).includes(fault.field))?.name ?? fault.field;
    form.setFields(refused.map((fault) => ({ name: nameOf(fault), errors: [fault.msg] })));
    show(nameOf(first), told);
    return null;
  };
  const ask = (entered: Entered) => {
    const asked = checked(entered, "query_refused");
    if (asked !== null) {
      props.onQuery(asked);
    }
  };
  /* Also a field that is out of sight. It is said that nothing was done: the rows below are of the last query. */
  const show = (name: string, told: Told | null) => {
    if (collapsible && collapsed) {
      flushSync(toggle);
    }
    form.scrollToField(name, { focus: true });
    if (told !== null) {
      toast.error(t(told));
    }
  };
  const refuse = ({ errorFields: errors }: Refused, told: Told) => {
    const requiredOf = (name: string) => fields.find((field) => field.name === name)?.required;
    const faults = errors.map((each) => ({ name: each.name.join(), text: each.errors.join() }));
    const missing = faults.flatMap(({ name, text }) => {
      const required = requiredOf(name);
      return required === text ? [required] : [];
    });
    if (missing.length > 0) {
      onMissing?.(missing);
    }
    const wrong = faults.find(({ name, text }) => requiredOf(name) !== text);
    if (wrong !== undefined) {
      show(wrong.name, missing.length > 0 ? null : told);
    }
    return null;
  };
  useImperativeHandle(props.ref, () => ({
    withEntered: async (act) => {
      const told = "export_refused";
      const entered = await form.validateFields().then(
        (all) => checked(all, told),
        (refused: Refused) => refuse(refused, told),
      );
      const isListed = (name: string) => entered?.[name] === props.values[name];
      if (entered !== null && (await act(entered)) && !namesOf(fields).every(isListed)) {
        toast.warning(t("not_as_listed"));
      }
    },
  }));

  return (
    <div className="k-query" {...guard}>
      {props.heading !== undefined && <h2 className="k-query-heading">{props.heading}</h2>}
      <Form
        form={form}
        name={id}
        role="search"
        aria-label={label}
        className="k-query-form"
        onFinish={ask}
        onValuesChange={(changed: Entered) => {
          unmark(form, changed);
          tellUnread(form, changed);
          onEntered?.(changed);
        }}
        onFinishFailed={(refused) => refuse(refused, "query_refused")}
        validateTrigger="onSubmit"
        requiredMark={false}
      >
        {fields.map((field, index) => (
          <QueryItem
            key={field.name}
            field={field}
            id={`${id}_${field.name}`}
            hidden={field.hidden === true || (collapsible && collapsed && index >= shown)}
          />
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
          <Button onClick={reset}>{t("reset")}</Button>
          {/* Never busy: while one answer is waited for, another question may be asked. */}
          <Button type="primary" htmlType="submit">
            {t("query")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
