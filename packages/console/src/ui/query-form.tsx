/** Filter form above a list. Its values are texts, as in the address. Enter submits the form (see enter-guard.ts). */
import { DownOutlined, UpOutlined } from "@ant-design/icons";
import type { FieldFault } from "@red/contract/platform/envelope";
import { Button, Form } from "antd";
import type { FormInstance } from "antd";
import { useEffect, useImperativeHandle } from "react";
import type { ReactNode, Ref } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useEnterGuard } from "./enter-guard.ts";
import { useIsMobile, useMedia } from "./media.ts";
import { QueryControl, enteredTexts, formValueOf, isSet, namesOf } from "./query-field.tsx";
import type { QueryField, Values } from "./query-field.tsx";
import { useStored } from "./stored.ts";
import { refreshFaults, useTimeRule } from "./time-faults.ts";
import { useToast } from "./toast.tsx";

export interface QueryFormHandle {
  /**
   * Runs `act` with the entered values if the search would accept them; otherwise shows the errors. `isListed` is true
   * if the list was loaded with these values. `act` resolves to true if it succeeded.
   */
  withEntered: (act: (entered: Values, isListed: boolean) => Promise<boolean>) => Promise<void>;
}

interface QueryFormProps {
  label: string;
  /** Heading of the form, for a page with several forms. */
  heading?: string;
  /** Also the storage key of the collapsed state. */
  id: string;
  fields: readonly QueryField[];
  values: Values;
  /** Receives every field by name. An empty field is undefined. */
  onQuery: (values: Values) => void;
  onReset: () => void;
  extra?: ReactNode;
  /** Pass it if the page reads or sets fields before a search. */
  form?: FormInstance<Entered>;
  onEntered?: (changed: Entered) => void;
  /** Returns the errors of the values. Each error is shown at its field, and the search does not run. */
  check?: (values: Values) => readonly FieldFault[];
  /** Receives the messages of empty required fields, in field order. */
  onMissing?: (texts: readonly string[]) => void;
  ref?: Ref<QueryFormHandle>;
}

export type Entered = Record<string, unknown>;

type RefusedNotice = "query_refused" | "export_refused";

/** Error that the component library throws when fields break their rules. */
interface BrokenRules {
  errorFields: { name: readonly unknown[]; errors: readonly string[] }[];
}

/** Widths of fields relative to a text field. */
const WIDTHS = { text: 1, digits: 1, select: 1, date: 1.3, range: 2.4 };

/** Returns how many of the first fields fit in one line, or −1 if all fields fit. */
function fitting(fields: readonly QueryField[], room: number): number {
  let used = 0;
  return fields.findIndex(({ kind }) => (used += WIDTHS[kind]) > room);
}

interface QueryItemProps {
  field: QueryField;
  id: string;
  hidden: boolean;
}

function QueryItem({ field, id, hidden }: QueryItemProps) {
  const { name, label, kind, required, normalize } = field;
  const readable = useTimeRule(kind);
  return (
    <Form.Item
      name={name}
      label={label}
      colon={false}
      htmlFor={id}
      className={`k-query-${kind}`}
      rules={[
        // A text of only whitespace counts as missing.
        ...(required === undefined
          ? []
          : [{ required: true, ...(kind === "text" && { whitespace: true }), message: required }]),
        readable,
      ]}
      hidden={hidden}
      {...(normalize && { normalize })}
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
  const [isMiddle, isWide] = [useMedia("(min-width: 1280px)"), useMedia("(min-width: 1400px)")];
  const room = isWide ? 4 : isMiddle ? 3 : 2;
  const shownCount = isMobile ? 1 : fitting(fields, room);
  const [stored, store] = useStored(`collapsed:${id}`);
  const collapsed = stored !== "0";
  const toggle = () => store(collapsed ? "0" : null);
  const guard = useEnterGuard();
  // Required fields are never hidden.
  const collapsible =
    shownCount > 0 &&
    shownCount < fields.length &&
    fields.every(({ required }) => required === undefined);
  const hiddenSet = fields.slice(shownCount).filter((field) => isSet(field, values)).length;

  // Follows the address, so that back and forward show the filters of each address.
  const current = JSON.stringify(namesOf(fields).map((name) => values[name] ?? null));
  useEffect(() => {
    form.setFieldsValue(
      Object.fromEntries(fields.map((field) => [field.name, formValueOf(field, values)])),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- `current` stands for all values; field lists are new in each render
  }, [current, form]);

  // Also clears entries that are not in the address, because they were never searched.
  const reset = () => {
    form.resetFields();
    onReset();
  };
  /* Returns the values, or shows their errors and returns null. */
  const checkedValues = (entered: Entered, notice: RefusedNotice): Values | null => {
    const query = enteredTexts(fields, entered);
    const refused = props.check?.(query) ?? [];
    const [first] = refused;
    if (first === undefined) {
      return query;
    }
    const nameOf = (fault: FieldFault) =>
      fields.find((field) => namesOf([field]).includes(fault.field))?.name ?? fault.field;
    form.setFields(refused.map((fault) => ({ name: nameOf(fault), errors: [fault.msg] })));
    showFault(nameOf(first), notice);
    return null;
  };
  const ask = (entered: Entered) => {
    const query = checkedValues(entered, "query_refused");
    if (query !== null) {
      props.onQuery(query);
    }
  };
  /* Shows the error of a field, and expands the form if the field is hidden. The toast says that nothing was done,
     because the rows below still belong to the last search. */
  const showFault = (name: string, notice: RefusedNotice | null) => {
    if (collapsible && collapsed) {
      flushSync(toggle);
    }
    form.scrollToField(name, { focus: true });
    if (notice !== null) {
      toast.error(t(notice));
    }
  };
  const refuse = ({ errorFields: errors }: BrokenRules, notice: RefusedNotice) => {
    const faults = errors.map((each) => ({ name: each.name.join(), text: each.errors.join() }));
    const isMissing = ({ name, text }: (typeof faults)[number]) =>
      fields.some((field) => field.name === name && field.required === text);
    const missing = faults.filter(isMissing);
    if (missing.length > 0) {
      onMissing?.(missing.map(({ text }) => text));
    }
    const wrong = faults.find((fault) => !isMissing(fault));
    if (wrong !== undefined) {
      showFault(wrong.name, missing.length > 0 ? null : notice);
    }
    return null;
  };
  useImperativeHandle(props.ref, () => ({
    withEntered: async (act) => {
      const notice = "export_refused";
      const entered = await form.validateFields().then(
        (all) => checkedValues(all, notice),
        (refused: BrokenRules) => refuse(refused, notice),
      );
      const isListed = namesOf(fields).every((name) => entered?.[name] === props.values[name]);
      if (entered !== null && (await act(entered, isListed)) && !isListed) {
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
        style={{ flexWrap: collapsible && collapsed && !isMobile ? "nowrap" : "wrap" }}
        onFinish={ask}
        onValuesChange={(changed: Entered) => {
          refreshFaults(form, changed);
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
            hidden={field.hidden === true || (collapsible && collapsed && index >= shownCount)}
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
          {props.extra}
          <Button onClick={reset}>{t("reset")}</Button>
          {/* The button is never busy, because the operator may start another search while waiting. */}
          <Button type="primary" htmlType="submit">
            {t("query")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
