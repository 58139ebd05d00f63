/**
 * A dialog with one form. A refusal is shown in the dialog, which stays open with its input and marks the fields of the
 * refusal. Closing asks before unsaved input is discarded; the input survives a reload.
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
  /** Undefined while loading. */
  initial: Fields | undefined;
  /** Key of the draft: dialog, subject and version. No draft is kept under "". */
  draftKey: string;
  okText: ReactNode;
  danger?: boolean;
  /** The effect of saving is not known yet, or saving would change nothing. */
  okDisabled?: boolean;
  /** Shown above the server's message when saving is refused. */
  failedText?: string;
  /**
   * Rejects with the call's error, which the shared handling has shown. Call `close` at its end: it does nothing if the
   * operator has closed the dialog, or opened another one, meanwhile.
   */
  onSubmit: (values: V, close: Close) => Promise<unknown>;
  /** The change by these values, whose cost is shown while they are entered; null while nothing is changed. */
  changeOf?: ((values: V) => Change | null) | undefined;
  onClose: () => void;
  /** Offers to save and stay for the next entry: the values that the form then starts with. */
  onAgain?: ((saved: V) => Partial<V>) | undefined;
  /** Loads the version that another operator has saved meanwhile; the input is merged into it. */
  onReload?: (() => void) | undefined;
  /** Needed with `onReload`: labels of the changed fields. */
  words?: FormWords | undefined;
  /** Needed with `onReload`: reads who saved the loaded version, and when. */
  lastSave?: (() => Promise<LastSave>) | undefined;
  /** For a form with a grid: its own merge, and how one value of it is chosen. */
  merge?: Merge;
  onChoose?: (change: TheirChange, value: unknown) => void;
  children: ReactNode;
  aside?: ReactNode;
}

/* Marks the fields of the refusal. Faults of other names are shown only in the alert. True if fields show all faults. */
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

/** Why saving was refused. The server's message is shown only if no field shows it. */
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
  // A refusal of an older version says nothing about the version loaded since.
  const refusal = refused?.draftKey === draftKey ? refused : null;
  const router = useRouter();
  const { merge = words === undefined ? null : mergeInput } = props;
  const draft = useDraft(form, initial, draftKey, merge);
  const { fields, focus } = useFirstField(initial !== undefined, draftKey);
  const guard = useEnterGuard(isChoosing);

  const submit = async (values: V) => {
    // Enter in a field submits even while the button is busy or disabled.
    if (busy || props.okDisabled === true) {
      return;
    }
    setRefused(null);
    setFaultCount(null);
    const next = stays.current ? props.onAgain?.(values) : undefined;
    const begin = () => {
      form.resetFields();
      // The library types the values by the form's type, which is generic here.
      form.setFieldsValue(next as Parameters<typeof form.setFieldsValue>[0]);
    };
    const end: Close = (instead) => {
      // Not after `onSubmit`, which waits for lists: a dialog opened meanwhile would restore the saved input.
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
    // As above, for names.
    type Data = Parameters<typeof form.setFields>[0];
    form.setFields([{ name, value, errors: [], touched: true }] as unknown as Data);
  };

  const isLoss = () => busy || draft.isChanged();
  const mayClose = async () => {
    if (isLoss() && !(await (busy ? mayLeave() : mayDiscard()))) {
      return false;
    }
    // Also while it is being saved: if restored, it would be submitted twice.
    dropDraft(draftKey);
    return true;
  };
  const leave = async () => {
    if (await mayClose()) {
      close();
    }
  };
  useBlocker({
    // Blocks only steps of the browser: the dialog covers other navigation, or is closed by it. The browser has changed
    // the address already: blocking undoes that, and the step is repeated if the operator agrees.
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
    // A reload restores the input.
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
          // No errors during the first input. After a failed save, a corrected field loses its error at once.
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
              // A newer version starts with new choices.
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
          {/* Enter in a field saves. */}
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
