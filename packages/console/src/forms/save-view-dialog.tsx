import { Form } from "antd";
import { useTranslation } from "react-i18next";
import { savedViewRoutes } from "@red/contract/identity/saved-view";
import { changeBy } from "#lib/api.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { useAct } from "./act.ts";
import { FormDialog } from "./form-dialog.tsx";
import { TextItem } from "./text-item.tsx";

interface Named {
  view_name?: string;
}

const UNNAMED = { view_name: "" };

interface SaveViewDialogProps {
  page: string;
  search: string;
  onClose: () => void;
}

export function SaveViewDialog({ page, search, onClose }: SaveViewDialogProps) {
  const { t } = useTranslation(["ui", "contract", "fields"]);
  const { send } = useAct(savedViewRoutes.list);
  const [form] = Form.useForm<Named>();
  const save = async ({ view_name = "" }: Named, close: () => void) => {
    const body = { page, view_name: view_name.trim(), search };
    await send(changeBy(savedViewRoutes.save, { body }), { close });
  };
  return (
    <FormDialog<Named>
      title={t("save_view")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={UNNAMED}
      draftKey={`view:${page}`}
      okText={t("save")}
      failedText={t("contract:add_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <TextItem
        name="view_name"
        label={t("fields:view_name")}
        missing={t("contract:enter_view_name")}
      />
    </FormDialog>
  );
}
