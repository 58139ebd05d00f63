import { Alert, App, Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { erasureRoutes } from "@red/contract/evidence/erasure";
import type { ErasureLeft } from "@red/contract/evidence/erasure";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { holdsPayouts, STATE_FACTS } from "@red/contract/platform/codes";
import type { PlayerHead } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { changeBy } from "#lib/api.ts";
import { EXTRA_TIME_LISTS, expiryText, GroupFields } from "#players/extra-time-fields.tsx";
import type { GroupValues } from "#players/extra-time-fields.tsx";
import { OneGrantedBefore } from "#players/granted-before.tsx";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { grouped } from "#ui/format.ts";

/** Grants one extra time to the open player (spec §2). The group of the shown round is preset. */
export function GrantOneDialog({ head, onClose }: { head: PlayerHead; onClose: () => void }) {
  const { user_name, blocked, exclusions } = head;
  const tag = head.rounds[0]?.tag;
  const isBarred = blocked || exclusions.length > 0;
  const { t } = useTranslation("player_view");
  const { send } = useAct(...EXTRA_TIME_LISTS);
  const [form] = Form.useForm<GroupValues>();
  const initial = useMemo(() => ({ tag, expire_time: null }), [tag]);
  const group = Form.useWatch("tag", form);

  const grant = async (values: GroupValues, close: () => void) => {
    const body = { user_name, tag: values.tag ?? "", expire_time: expiryText(values.expire_time) };
    await send(checked(changeBy(extraTimesRoutes.create, { body })), { close });
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
      {isBarred && (
        <Alert
          type="warning"
          showIcon
          className="k-form-alert"
          title={t(blocked ? "grant_blocked" : "grant_excluded")}
        />
      )}
      <GroupFields />
      <OneGrantedBefore user_name={user_name} tag={group} />
    </FormDialog>
  );
}

/** Describes the open payouts in a sentence, or returns null. A player with open payouts cannot be erased. */
function useOwedText({ payouts, exclusions }: PlayerHead): string | null {
  const { t } = useTranslation("contract");
  const isHeld = exclusions.some(({ kind }) => holdsPayouts(kind));
  const countOf = (some: PlayerHead["payouts"]) => some.reduce((sum, { count }) => sum + count, 0);
  const owed = countOf(payouts.filter(({ payout_state }) => STATE_FACTS[payout_state].isOwed));
  const queued = countOf(payouts.filter(({ payout_state }) => payout_state === "queued"));
  if (owed === 0) {
    return null;
  }
  return isHeld && queued > 0
    ? t("player_held", { count: queued })
    : t("player_owed", { count: owed });
}

/** Warns that the erasure also ends the exclusions of the player. */
function Excluded({ exclusions }: PlayerHead) {
  const { t } = useTranslation(["player_view", "lookups"]);
  const kinds = [...new Set(exclusions.map(({ kind }) => t(`lookups:exclusion_${kind}`)))];
  const words = t("erase_excluded", { kinds: kinds.join(t("kind_join")) });
  return (
    kinds.length > 0 && <Alert type="warning" showIcon className="k-form-alert" title={words} />
  );
}

/** Lists the places where texts from earlier releases may still name the erased player. */
function Left({ left }: { left: readonly ErasureLeft[] }) {
  const { t } = useTranslation("player_view");
  return (
    <>
      <p>{t("left_content")}</p>
      <ul>
        {left.map(({ place, rows }) => (
          <li key={place}>{t("left_rows", { place: t(`left_${place}`), rows: grouped(rows) })}</li>
        ))}
      </ul>
    </>
  );
}

interface EraseDialogProps {
  head: PlayerHead;
  onErased: () => void;
  onClose: () => void;
}

/** Erases the open player. The operator types the account and confirms with a one-time code (behaviour §3). */
export function EraseDialog({ head, onErased, onClose }: EraseDialogProps) {
  const { user_name } = head;
  const { t } = useTranslation(["player_view", "ui"]);
  const { modal } = App.useApp();
  const { send } = useAct(recordRoutes.list, extraTimesRoutes.list, exclusionRoutes.list);
  const [form] = Form.useForm<{ user_name: string }>();
  const owed = useOwedText(head);
  const words = {
    title: t("erase_title", { name: user_name }),
    okText: t("erase"),
    danger: true,
  };

  const erase = (_: object, close: Close) =>
    send(changeBy(erasureRoutes.erase, { body: { user_name } }), {
      words,
      done: (data) => {
        if (data.left.length > 0) {
          const content = <Left {...data} />;
          const shown = { title: t("left_title"), content, width: DIALOG_WIDTH.small };
          modal.info({ ...shown, okText: t("ui:close") });
        }
      },
      close: () => close(onErased),
    });
  const isThis = async (_: unknown, typed = "") => {
    if (typed.trim() !== user_name) {
      throw new Error(t("erase_mismatch"));
    }
  };
  return (
    <FormDialog<{ user_name: string }>
      {...words}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={{}}
      draftKey=""
      okDisabled={owed !== null}
      onSubmit={erase}
      onClose={onClose}
    >
      <p>{t("erase_content")}</p>
      <Excluded {...head} />
      {owed !== null && <Alert type="warning" showIcon className="k-form-alert" title={owed} />}
      <Form.Item
        name="user_name"
        label={t("erase_account", { name: user_name })}
        rules={[{ validator: isThis }]}
      >
        <Input autoComplete="off" disabled={owed !== null} />
      </Form.Item>
    </FormDialog>
  );
}
