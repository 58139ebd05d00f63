/** Grants the open player one extra time (spec §2). */
import { Form } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { extraTimeCreate, extraTimesRoutes } from "@red/contract/extra-times";
import { playerViewRoutes } from "@red/contract/player-view";
import { assertBody } from "#forms/check.ts";
import { OneGrantedBefore } from "#players/granted-before.tsx";
import { GroupFields, expiryText } from "#players/extra-time-fields.tsx";
import type { GroupValues } from "#players/extra-time-fields.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useToast } from "#ui/toast.tsx";

interface GrantOneDialogProps {
  user_name: string;
  /** Group of the round shown, preset. */
  tag: string | undefined;
  onClose: () => void;
}

export function GrantOneDialog({ user_name, tag, onClose }: GrantOneDialogProps) {
  const { t } = useTranslation(["player_view", "contract"]);
  const toast = useToast();
  const [form] = Form.useForm<GroupValues>();
  const initial = useMemo(() => ({ tag, expire_time: null }), [tag]);
  const group = Form.useWatch("tag", form);

  const grant = async (values: GroupValues, close: () => void) => {
    const body = { user_name, tag: values.tag ?? "", expire_time: expiryText(values.expire_time) };
    assertBody(extraTimeCreate, body);
    await call(extraTimesRoutes.create, { body });
    toast.success(t("contract:extra_time_added"));
    close();
    await refresh(
      extraTimesRoutes.list,
      extraTimesRoutes.total,
      extraTimesRoutes.preview,
      playerViewRoutes.head,
      playerViewRoutes.explain,
    );
  };

  return (
    <FormDialog<GroupValues>
      title={t("grant_title", { name: user_name })}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={initial}
      draftKey={`extra_times:grant:${user_name}`}
      okText={t("grant_save")}
      onSubmit={grant}
      onClose={onClose}
    >
      <GroupFields required />
      <OneGrantedBefore user_name={user_name} tag={group} />
    </FormDialog>
  );
}
