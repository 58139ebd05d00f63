/** Ends an exclusion with a reason (behaviour §3). */
import { useTranslation } from "react-i18next";
import { exclusionRoutes } from "@red/contract/exclusion";
import type { Exclusion } from "@red/contract/exclusion";
import { playerViewRoutes } from "@red/contract/player-view";
import { recordRoutes } from "@red/contract/record";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { call } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";
import { EXCLUSION_TEXTS } from "./exclusion-texts.ts";

addTexts("exclusion", EXCLUSION_TEXTS);

/** Everything that an exclusion changes. */
export async function refreshExcluded(): Promise<void> {
  await refresh(
    exclusionRoutes.list,
    exclusionRoutes.preview,
    playerViewRoutes.head,
    playerViewRoutes.explain,
    recordRoutes.list,
  );
}

export function LiftDialog({ exclusion, onClose }: { exclusion: Exclusion; onClose: () => void }) {
  const { t } = useTranslation(["exclusion", "contract", "lookups"]);
  const toast = useToast();
  const { id, user_name: name, kind } = exclusion;
  return (
    <ReasonDialog
      title={t("lift_title", { name, kind: t(`lookups:exclusion_${kind}`) })}
      label={t("reason")}
      missing={t("contract:enter_reason")}
      okText={t("lift")}
      draftKey={`exclusion:lift:${id}`}
      onSubmit={async (reason, close) => {
        await call(exclusionRoutes.lift, { params: { id }, body: { reason } });
        toast.success(t("contract:lifted"));
        close();
        await refreshExcluded();
      }}
      onClose={onClose}
    >
      <p>{t("lift_hint")}</p>
    </ReasonDialog>
  );
}
