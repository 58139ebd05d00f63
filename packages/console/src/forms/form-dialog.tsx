/**
 * Dialog with one form. The dialog shows an error of the server, marks the fields with errors and stays open with its
 * input. Closing asks before it discards unsaved input; a reload keeps the input.
 */
import { useBlocker, useRouter } from "@tanstack/react-router";
import { Alert, Button, Form } from "antd";
import type { FormInstance } from "antd";
import type { ReactNode } from "react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LastSave } from "@red/contract/platform/fields";
import { ApiError, isShownByField, isStale, isWaiting } from "#lib/api.ts";
import type { Change } from "#lib/api.ts";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { isChoosing, useEnterGuard } from "#ui/enter-guard.ts";
import { useFirstField } from "#ui/first-field.ts";
import { refreshFaults } from "#ui/time-faults.ts";
import { markFields } from "./check.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import type { FormWords } from "./conflict-notice.tsx";
import { dropDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import { mergeInput } from "./merge.ts";
import type { Merge, TheirChange } from "./merge.ts";
import { SavingFooter, useSaving } from "./saving.tsx";
import type { Close } from "./saving.tsx";
import { DraftKeeper, DraftNote, useDraft } from "./use-draft.tsx";
import { Valued, ValuedForm, ValuedMark } from "./valued.tsx";
import { starred } from "./text-item.tsx";

interface FormDialogProps<V extends object> {
  title: string;
  width?: number;
  form: FormInstance<V>;
  /** Undefined while the values are loading. */
  initial: Fields | undefined;
  /** Key of the draft, built from dialog, subject and version. The key "" stores no draft. */
  draftKey: string;
  okText: ReactNode;
  danger?: boolean;
  /** True while the effect of saving is unknown, or if saving would change nothing. */
  okDisabled?: boolean;
  /** Shown above the message of the server when saving fails. */
  failedText?: string;
  /**
   * Rejects with the error of the call; the API layer has already shown the error. It must call `close` at its end.
   * `close` does nothing if the operator has meanwhile closed the dialog or opened another one.
   */
  onSubmit: (values: V, close: Close) => Promise<unknown>;
  /**
   * Returns the change for these values, or null if they change nothing. The dialog shows the cost of the change while
   * the operator types.
   */
  changeOf?: ((values: V) => Change | null) | undefined;
  onClose: () => void;
  /**
   * Adds a button that saves and keeps the dialog open for the next entry. Returns the first values of that next entry.
   */
  onAgain?: ((saved: V) => Partial<V>) | undefined;
  /** Loads the version that another operator has saved meanwhile, and merges the input into it. */
  onReload?: (() => void) | undefined;
  /** Labels of the changed fields. Required with `onReload`. */
  words?: FormWords | undefined;
  /** Reads who saved the loaded version, and when. Required with `onReload`. */
  lastSave?: (() => Promise<LastSave>) | undefined;
  /** Merge function for a form with a grid; `onChoose` then sets one value of the grid. */
  merge?: Merge;
  onChoose?: (change: TheirChange, value: unknown) => void;
  children: ReactNode;
  aside?: ReactNode;
}

/* Marks the fields named in the error. Returns true if every error belongs to a field of the form; other errors are
   shown only in the alert. */
function markFaults<V extends object>(form: FormInstance<V>, error: ApiError): boolean {
  const names = new Set(Object.keys(form.getFieldsValue(true)));
  const faults = error.faults.filter((fault) => names.has(fault.field));
  markFields(form, faults);
  return faults.length > 0 && faults.length === error.faults.length;
}

interface Refused {
  readonly error: ApiError;
  readonly draftKey: string;
  readonly marked: boolean;
}

interface RefusalAlertProps extends Refused {
  failedText: string | undefined;
  onReload: (() => void) | undefined;
}

/** Shows why saving failed. The message of the server is shown only if no field shows it. */
function RefusalAlert(props: RefusalAlertProps) {
  const { error, marked, failedText, onReload } = props;
  const { t } = useTranslation("ui");
  const words = marked ? undefined : error.message;
  if (failedText === undefined && words === undefined) {
    return null;
  }
  return (
    <Alert
      type="error"
      showIcon
      className="k-form-alert"
      title={failedText ?? words}
      description={failedText === undefined ? undefined : words}
      action={
        isStale(error) && onReload !== undefined ? (
          <Button size="small" onClick={onReload}>
            {t("stale_reload")}
          </Button>
        ) : undefined
      }
    />
  );
}

function faultsIn(fields: readonly { readonly errors?: readonly string[] }[]): number {
  return fields.filter(({ errors = [] }) => errors.length > 0).length;
}

export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { title, form, initial, draftKey, onSubmit, onClose, words, aside, changeOf } = props;
  const { t } = useTranslation("ui");
  const { busy, run, mayLeave, mayDiscard, close } = useSaving(onClose);
  const stays = useRef(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [faultCount, setFaultCount] = useState<number | null>(null);
  // An error for an older version does not apply to the version that was loaded later.
  const refusal = refused?.draftKey === draftKey ? refused : null;
  const router = useRouter();
  const { merge = words === undefined ? null : mergeInput } = props;
  const draft = useDraft(form, initial, draftKey, merge);
  const { fields, focus } = useFirstField(initial !== undefined, draftKey);
  const guard = useEnterGuard(isChoosing);

  const submit = async (values: V) => {
    // Enter in a field submits the form even while the button is busy or disabled.
    if (busy || props.okDisabled === true) {
      return;
    }
    setRefused(null);
    setFaultCount(null);
    const next = stays.current ? props.onAgain?.(values) : undefined;
    const begin = () => {
      form.resetFields();
      // The component library expects the exact type of the form's values, which is generic here.
      form.setFieldsValue(next as Parameters<typeof form.setFieldsValue>[0]);
    };
    const end: Close = (instead) => {
      // The draft is removed here and not after `onSubmit`, which waits for the lists: a dialog opened meanwhile would
      // restore input that is already saved.
      dropDraft(draftKey);
      close(next === undefined ? instead : begin);
    };
    try {
      await run(() => onSubmit(values, end));
      if (next !== undefined) {
        fields.current?.querySelector("input")?.focus();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      if (isWaiting(error)) {
        end();
      } else if (!isShownByField(error)) {
        setRefused({ error, draftKey, marked: markFaults(form, error) });
      }
      if (isStale(error)) {
        props.onReload?.();
      }
    }
  };

  const valued = (as: typeof Valued | typeof ValuedMark) =>
    changeOf && <ValuedForm {...{ form, changeOf, initial, as }} />;

  const choose = ({ name }: TheirChange, value: unknown) => {
    // The library expects exact field names, which are generic here.
    type Data = Parameters<typeof form.setFields>[0];
    form.setFields([{ name, value, errors: [], touched: true }] as unknown as Data);
  };

  const isLoss = () => busy || draft.isChanged();
  const mayClose = async () => {
    if (isLoss() && !(await (busy ? mayLeave() : mayDiscard()))) {
      return false;
    }
    // Removes the draft also while saving: a restored draft would be submitted twice.
    dropDraft(draftKey);
    return true;
  };
  const leave = async () => {
    if (await mayClose()) {
      close();
    }
  };
  useBlocker({
    // Handles only the back and forward buttons of the browser; other navigation is covered by the dialog or closes it.
    // The browser has already changed the address, so blocking restores the address. If the operator agrees, the step
    // is repeated.
    shouldBlockFn: ({ action }) => {
      const isStep = action === "BACK" || action === "FORWARD" || action === "GO";
      if (isStep && isLoss()) {
        const steps = action === "FORWARD" ? 1 : -1;
        const repeatStep = () => router.history.go(steps, { ignoreBlocker: true });
        void mayClose().then((isAgreed) => isAgreed && repeatStep());
        return true;
      }
      return false;
    },
    // The browser does not ask before a reload, because the input is restored.
    enableBeforeUnload: false,
  });

  return (
    <LargeDialog
      title={title}
      width={props.width ?? DIALOG_WIDTH.form}
      onOpened={focus}
      onCancel={() => void leave()}
      mask={{ closable: false }}
      destroyOnHidden
      loading={initial === undefined}
      footer={
        <SavingFooter
          busy={busy}
          okText={
            <>
              {props.okText}
              {valued(ValuedMark)}
            </>
          }
          danger={props.danger === true}
          disabled={props.okDisabled === true}
          onSave={() => {
            stays.current = false;
            form.submit();
          }}
          {...(props.onAgain !== undefined && {
            onSaveMore: () => {
              stays.current = true;
              form.submit();
            },
          })}
          onLeave={leave}
        />
      }
    >
      <div
        {...guard}
        ref={fields}
        className={aside === undefined ? "k-form" : "k-form k-form-split"}
      >
        <Form<V>
          form={form}
          layout="vertical"
          requiredMark={starred}
          initialValues={draft.values as Partial<V>}
          scrollToFirstError={{ focus: true }}
          // Shows no errors during the first input. After a failed save, a corrected field loses its error at once.
          validateTrigger={faultCount === null ? "onSubmit" : "onChange"}
          onValuesChange={(changed: Fields) => refreshFaults(form, changed)}
          onFieldsChange={(_, allFields) =>
            setFaultCount((count) => (count === null ? null : faultsIn(allFields)))
          }
          onFinishFailed={({ errorFields }) => setFaultCount(errorFields.length)}
          onFinish={(values) => void submit(values)}
        >
          {draftKey !== "" && <DraftKeeper form={form} initial={initial} draftKey={draftKey} />}
          <DraftNote draft={draft} mayDiscard={mayDiscard} />
          {draft.changes !== null && words !== undefined && props.lastSave !== undefined && (
            <ConflictNotice
              // The new key resets the choices when a newer version is loaded.
              key={draftKey}
              changes={draft.changes}
              words={words}
              lastSave={props.lastSave}
              onChoose={props.onChoose ?? choose}
            />
          )}
          {refusal !== null && (
            <RefusalAlert {...refusal} failedText={props.failedText} onReload={props.onReload} />
          )}
          <p className="sr-only" role="status">
            {faultCount !== null && faultCount > 0 && t("faults_found", { count: faultCount })}
          </p>
          {props.children}
          {aside === undefined && valued(Valued)}
          {/* Lets Enter in a field save the form. */}
          <button type="submit" hidden>
            {props.okText}
          </button>
        </Form>
        {aside && (
          <div className="k-aside">
            {valued(Valued)}
            {aside}
          </div>
        )}
      </div>
    </LargeDialog>
  );
}
