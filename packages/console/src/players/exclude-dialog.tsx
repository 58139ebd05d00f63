/**
 * Excludes one account, a pasted list or a file. Before the call the dialog shows which accounts are left out
 * (behaviour §3).
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Alert, Button, Form, Input } from "antd";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { exclusionRoutes, mayBeEndless } from "@red/contract/players/exclusion";
import type { ExclusionRow } from "@red/contract/players/exclusion";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/platform/limits";
import { EXCLUSION_KINDS } from "@red/contract/platform/codes";
import type { ExclusionKind } from "@red/contract/platform/codes";
import type { Data } from "@red/contract/platform/route";
import { useAct } from "#forms/act.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { FilePicker } from "#forms/file-picker.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import { ReasonInput } from "#forms/reason-input.tsx";
import { TextItem } from "#forms/text-item.tsx";
import { call, changeBy, upload } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { ChoiceSelect } from "#ui/choice-select.tsx";
import { DateTimePicker } from "#ui/date-time-picker.tsx";
import { grouped } from "#ui/format.ts";
import { useTimeRule } from "#ui/time-faults.ts";
import { DATE_TIME, DAY_END, momentOf } from "#ui/typed-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { AccountNames } from "./account-names.tsx";
import { namesIn } from "./accounts.ts";
import { EXCLUSION_LISTS } from "./lift-dialog.tsx";

/** Length of each term in hours. The server counts the hours from its own time. Null: the exclusion has no end. */
const TERMS = { day: 24, week: 7 * 24, month: 30 * 24, endless: null } as const;
const SHOWN_FAULTS_MAX = 100;

interface Values {
  user_names?: string;
  kind?: ExclusionKind;
  reason?: string;
  term?: keyof typeof TERMS | "date";
  until?: Dayjs | null;
}

type FileRead = Data<typeof exclusionRoutes.file>;

function rowsOf(accounts: readonly string[], values: Values): ExclusionRow[] {
  const { kind, reason = "", term = "endless" } = values;
  const until = term === "date" ? (momentOf(values.until)?.format(DATE_TIME) ?? null) : null;
  if (kind === undefined || (until === null && term === "date")) {
    return [];
  }
  const hours = term === "date" ? null : TERMS[term];
  const ends = hours === null ? { until } : { until, hours };
  return accounts.map((user_name) => ({ user_name, kind, reason, ...ends }));
}

/** Loads the effect of an exclusion now. There is no call until kind and accounts are known. */
function usePreview(accounts: readonly string[], values: Values, file: FileRead | null) {
  const { kind, term, until } = values;
  const text = JSON.stringify([accounts, kind, term, momentOf(until)?.format(DATE_TIME)]);
  const settledText = useDebounced(text);
  const rows = file === null ? rowsOf(accounts, { ...values, reason: "-" }) : file.rows;
  return useQuery({
    queryKey: [exclusionRoutes.preview.path, file, settledText],
    queryFn: async ({ signal }) =>
      await call(exclusionRoutes.preview, { body: { rows } }, { signal, background: true }),
    enabled: settledText === text && rows.length > 0 && rows.length <= EXTRA_TIMES_PER_CALL_MAX,
  });
}

interface PreviewProps {
  preview: ReturnType<typeof usePreview>;
  isFile: boolean;
}

function Preview({ preview: { data, error }, isFile }: PreviewProps) {
  const { t } = useTranslation(["exclusion", "lookups", "ui"]);
  const { excluded = 0, kinds = [], endless = 0, held = 0, first = [] } = data ?? {};
  const byKind = kinds.map(({ kind, count }) => `${t(`lookups:exclusion_${kind}`)} ${count}`);
  const sample = first.map(({ user_name, kind, until }) =>
    [user_name, t(`lookups:exclusion_${kind}`), until ?? t("endless")].join(" · "),
  );
  return (
    <>
      <p className="k-note" role="status">
        {data !== undefined && t("will", { count: excluded })}
        {excluded > 0 && t("will_terms", { kinds: byKind.join(t("ui:list_comma")), endless })}
        {held > 0 && t("will_hold", { count: held })}
        {!isFile && typeof first[0]?.until === "string" && t("will_end", { until: first[0].until })}
      </p>
      {isFile && <AccountNames title={t("first", { count: sample.length })} names={sample} />}
      {error !== null && <Alert type="error" showIcon title={error.message} />}
      {(["unknown", "doubled", "already"] as const).map((key) => {
        const names = data?.[key] ?? [];
        return <AccountNames key={key} title={t(key, { count: names.length })} names={names} />;
      })}
    </>
  );
}

function FileFaults({ faults }: Pick<FileRead, "faults">) {
  const { t } = useTranslation("exclusion");
  const lines = faults.slice(0, SHOWN_FAULTS_MAX).map((fault) => t("at_row", fault));
  const more = faults.length - lines.length;
  return (
    <>
      <Alert type="error" showIcon title={t("file_faults", { count: faults.length })} />
      <AccountNames
        title={t("file_fault_list")}
        names={more > 0 ? [...lines, t("file_more", { count: more })] : lines}
      />
    </>
  );
}

function Terms({ term }: { term: Values["term"] | undefined }) {
  const { t } = useTranslation(["exclusion", "contract", "fields", "lookups"]);
  const readable = useTimeRule("time");
  return (
    <>
      <FieldItem
        name="kind"
        rules={[{ required: true, message: t("contract:choose_exclusion_kind") }]}
        extra={t("holds")}
      >
        <ChoiceSelect
          options={EXCLUSION_KINDS.map((value) => {
            return { value, label: t(`lookups:exclusion_${value}`) };
          })}
        />
      </FieldItem>
      <Form.Item
        name="term"
        label={t("term")}
        dependencies={["kind"]}
        rules={[
          { required: true },
          ({ getFieldValue }) => ({
            validator: (_, value) =>
              value !== "endless" || mayBeEndless(getFieldValue("kind"))
                ? Promise.resolve()
                : Promise.reject(new Error(t("contract:cooling_off_ends"))),
          }),
        ]}
      >
        <ChoiceSelect
          options={(["day", "week", "month", "endless", "date"] as const).map((value) => ({
            value,
            label: t(value),
          }))}
        />
      </Form.Item>
      {term === "date" && (
        <FieldItem
          name="until"
          rules={[readable, { required: true, message: t("contract:choose_date_time") }]}
        >
          <DateTimePicker time={DAY_END} />
        </FieldItem>
      )}
      <TextItem name="reason" label={t("fields:reason")} missing={t("contract:enter_reason")}>
        <ReasonInput />
      </TextItem>
    </>
  );
}

interface ExcludeDialogProps {
  /** The account to exclude. If undefined, the operator enters accounts or chooses a file. */
  user_name?: string;
  onClose: () => void;
}

export function ExcludeDialog({ user_name, onClose }: ExcludeDialogProps) {
  const { t } = useTranslation(["exclusion", "contract", "lookups", "ui"]);
  const { send } = useAct(...EXCLUSION_LISTS);
  const [form] = Form.useForm<Values>();
  const initial = useMemo(() => ({ user_names: "", term: "week" }), []);
  const [file, setFile] = useState<FileRead | null>(null);
  const reading = useMutation({
    mutationFn: (chosen: File) => upload(exclusionRoutes.file, chosen),
    onSuccess: setFile,
  });
  const values = Form.useWatch((all: Values) => all, { form, preserve: true }) ?? {};
  // Do not parse a given account as a list, because an account may contain spaces and commas.
  const accountsOf = ({ user_names = "" }: Values) =>
    user_name === undefined ? namesIn(user_names) : [user_name];
  const preview = usePreview(accountsOf(values), values, file);
  const kinds = EXCLUSION_KINDS.map((kind) => t(`lookups:exclusion_${kind}`));

  const exclude = async (entered: Values, close: () => void) => {
    const rows = file?.rows ?? rowsOf(accountsOf(entered), entered);
    const source = file === null ? "operator" : "file";
    await send(changeBy(exclusionRoutes.create, { body: { rows, source } }), {
      text: ({ excluded }) => t("done", { count: excluded }),
      close,
    });
  };

  return (
    <FormDialog<Values>
      title={user_name === undefined ? t("add") : t("add_named", { name: user_name })}
      form={form}
      initial={initial}
      draftKey={`exclusion:new:${user_name ?? ""}`}
      okText={t("save")}
      okDisabled={file !== null && file.rows.length === 0}
      onSubmit={exclude}
      onClose={onClose}
    >
      {user_name === undefined && file === null && (
        <Form.Item
          name="user_names"
          label={t("accounts")}
          rules={[{ required: true, whitespace: true, message: t("contract:enter_account") }]}
        >
          <Input.TextArea rows={5} autoComplete="off" spellCheck={false} />
        </Form.Item>
      )}
      {user_name === undefined && (
        <FilePicker
          label={t("file")}
          text={t("file")}
          busy={reading.isPending}
          className="k-file"
          onPick={reading.mutate}
        >
          {(file === null || file.faults.length === 0) && (
            <span className="k-note">
              {file === null
                ? t("file_hint", { kinds: kinds.join(t("ui:list_comma")) })
                : t("file_rows", { rows: grouped(file.rows.length) })}
            </span>
          )}
          {file !== null && (
            <Button type="link" size="small" onClick={() => setFile(null)}>
              {t("file_drop")}
            </Button>
          )}
        </FilePicker>
      )}
      {file !== null && file.faults.length > 0 && <FileFaults faults={file.faults} />}
      {file === null && <Terms term={values.term} />}
      <Preview preview={preview} isFile={file !== null} />
    </FormDialog>
  );
}
