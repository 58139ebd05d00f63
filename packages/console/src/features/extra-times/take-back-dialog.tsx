/** Takes one unused extra time back, or the unused ones of a batch (behaviour §3). */
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { playerViewRoutes } from "@red/contract/player-view";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { useToast } from "#ui/toast.tsx";

interface TakeBackDialogProps {
  of: { readonly id: number } | { readonly batch_id: string };
  /** The account, or the batch. */
  name: string;
  onClose: () => void;
}

export function TakeBackDialog({ of, name, onClose }: TakeBackDialogProps) {
  const { t } = useTranslation(["extra_times", "contract"]);
  const toast = useToast();
  return (
    <ReasonDialog
      title={"id" in of ? t("take_back_single", { name }) : t("take_back_many", { batch: name })}
      label={t("take_back_reason")}
      missing={t("contract:enter_reason")}
      okText={t("take_back")}
      draftKey={`extra_times:take_back:${name}:${"id" in of ? of.id : ""}`}
      onSubmit={async (reason, close) => {
        const done = await call(extraTimesRoutes.takeBack, { body: { ...of, reason } });
        const { taken_back, used } = done;
        toast.success(t("taken_back", { taken: grouped(taken_back), used: grouped(used) }));
        close();
        await refresh(
          extraTimesRoutes.list,
          extraTimesRoutes.total,
          extraTimesRoutes.preview,
          playerViewRoutes.head,
          playerViewRoutes.explain,
        );
      }}
      onClose={onClose}
    >
      <p>{t("id" in of ? "take_back_hint" : "take_back_hint_many")}</p>
    </ReasonDialog>
  );
}
