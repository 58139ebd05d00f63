/** Grants one extra time (spec §2). Errors are marked in the order of the specification (spec §5). */
import { Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { extraTimeCreate, extraTimesRoutes } from "@red/contract/players/extra-times";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { useAct } from "#forms/act.ts";
import { markFields, passes } from "#forms/check.ts";
import type { Fields } from "#forms/draft.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { useSaving } from "#forms/saving.tsx";
import { DraftKeeper, DraftNote, useDraft } from "#forms/use-draft.tsx";
import { changeBy, isWaiting } from "#lib/api.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { isChoosing, useEnterGuard } from "#ui/enter-guard.ts";
import { OneGrantedBefore } from "./granted-before.tsx";
import { EXTRA_TIME_LISTS, GroupFields, expiryText } from "./extra-time-fields.tsx";
import type { GroupValues } from "./extra-time-fields.tsx";

interface AddValues extends GroupValues {
  user_name?: string;
}

const DRAFT = "extra_times:add";
const EMPTY = { user_name: "", tag: undefined, expire_time: null };

export function AddForm() {
  const { t } = useTranslation("extra_times");
  const { busy, act } = useAct(...EXTRA_TIME_LISTS);
  const mayGrant = useMay("player.grant");
  const [form] = Form.useForm<AddValues>();
  // Values that stay in the form after a grant do not count as unsaved input.
  const [initial, setInitial] = useState<Fields>(EMPTY);
  const draft = useDraft(form, EMPTY, DRAFT);
  const guard = useEnterGuard(isChoosing);
  const { run, mayDiscard } = useSaving(() => undefined);
  const [isAdded, setIsAdded] = useState(false);
  const user_name = Form.useWatch("user_name", form)?.trim() ?? "";
  const group = Form.useWatch("tag", form);

  const add = async ({ user_name = "", tag = "", expire_time }: AddValues) => {
    const body = { user_name: user_name.trim(), tag, expire_time: expiryText(expire_time) };
    if (!passes(form, extraTimeCreate, body, "all")) {
      return;
    }
    // If the operator entered another account during the call, the form keeps that account.
    const isSame = () => (form.getFieldValue("user_name") ?? "") === user_name;
    const close = () => {
      // Keep group and expiry, because the next player usually gets the same values.
      if (isSame()) {
        form.setFieldsValue({ user_name: "" });
      }
      setInitial({ user_name: "", tag, expire_time: expire_time ?? null });
      setIsAdded(true);
    };
    const added = await run(() => act(changeBy(extraTimesRoutes.create, { body }), { close }));
    if (!added.ok && !isWaiting(added.error) && isSame()) {
      markFields(form, added.error.faults);
    }
  };

  return (
    <section {...guard} className="k-query" aria-label={t("add_form")}>
      <h2 className="k-query-heading">{t("add_form")}</h2>
      <Form<AddValues>
        form={form}
        name="extra_time"
        className="k-query-form x-form"
        colon={false}
        {...permissionProps(mayGrant)}
        requiredMark={false}
        initialValues={draft.values as AddValues}
        onFinish={(values) => void add(values)}
      >
        <DraftKeeper form={form} initial={initial} draftKey={DRAFT} />
        {!isAdded && <DraftNote draft={draft} mayDiscard={mayDiscard} />}
        <FieldItem name="user_name" required>
          <Input autoComplete="off" maxLength={NAME_LENGTH_MAX} />
        </FieldItem>
        <GroupFields />
        <div className="k-query-buttons">
          <BusyButton type="primary" htmlType="submit" busy={busy}>
            {t("add")}
          </BusyButton>
        </div>
        {mayGrant && <OneGrantedBefore user_name={user_name} tag={group} />}
      </Form>
    </section>
  );
}
