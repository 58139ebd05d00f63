import { Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX, RED_CODE_LENGTH_MAX } from "@red/contract/platform/limits";
import { useAct } from "#forms/act.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import { TextItem } from "#forms/text-item.tsx";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { activityRoutes } from "@red/contract/rounds/activity";
import { redCodeRoutes, tagRoutes } from "@red/contract/rounds/tag";
import { changeBy } from "#lib/api.ts";

export type Kind = "tag" | "red_code";

export interface Entry {
  readonly key: string;
  readonly label: string;
}

const ACTS = {
  tag: {
    add: ({ key, label }: Entry) => changeBy(tagRoutes.create, { body: { tag: key, label } }),
    rename: ({ key, label }: Entry) =>
      changeBy(tagRoutes.rename, { params: { tag: key }, body: { label } }),
    lists: [tagRoutes.list, activityRoutes.tags],
  },
  red_code: {
    add: ({ key, label }: Entry) =>
      changeBy(redCodeRoutes.create, { body: { red_code: key, label } }),
    rename: ({ key, label }: Entry) =>
      changeBy(redCodeRoutes.rename, { params: { red_code: key }, body: { label } }),
    lists: [redCodeRoutes.list],
  },
};

/* The fields have their API names, so that an error of the server marks the right field. */
interface EntryValues {
  tag?: string;
  red_code?: string;
  label?: string;
}

interface EntryDialogProps {
  kind: Kind;
  /** The entry to rename. Null adds a new entry. */
  entry: Entry | null;
  onClose: () => void;
}

export function EntryDialog({ kind, entry, onClose }: EntryDialogProps) {
  const { add, rename, lists } = ACTS[kind];
  const { t } = useTranslation(["tag", "contract", "fields", "ui"]);
  const { send } = useAct(...lists);
  const [form] = Form.useForm<EntryValues>();
  const initial = useMemo(
    () => ({ [kind]: entry?.key ?? "", label: entry?.label ?? "" }),
    [kind, entry],
  );

  const save = async (values: EntryValues, close: () => void) => {
    const label = values.label?.trim() ?? "";
    const change =
      entry === null
        ? add({ key: values[kind]?.trim() ?? "", label })
        : rename({ key: entry.key, label });
    await send(change, { close });
  };

  return (
    <FormDialog<EntryValues>
      title={t(`${entry === null ? "add" : "rename"}_${kind}`)}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={initial}
      draftKey={`${kind}:${entry?.key ?? ""}`}
      okText={t("ui:save")}
      failedText={t(entry === null ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name={kind}
        label={t(kind)}
        extra={t(`${kind}_rule`)}
        rules={[{ required: true, whitespace: true, message: t(`contract:enter_${kind}`) }]}
      >
        <Input
          maxLength={kind === "tag" ? NAME_LENGTH_MAX : RED_CODE_LENGTH_MAX}
          autoComplete="off"
          disabled={entry !== null}
        />
      </Form.Item>
      <TextItem name="label" label={t("fields:label")} missing={t("contract:enter_label")} />
    </FormDialog>
  );
}
