/** Ends an exclusion with a reason (behaviour §3). */
import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import type { Exclusion } from "@red/contract/players/exclusion";
import { holdsPayouts } from "@red/contract/platform/codes";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { useAct } from "#forms/act.ts";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { EXCLUSION_TEXTS } from "./exclusion-texts.ts";

addTexts("exclusion", EXCLUSION_TEXTS);

/** Lists to load again after an exclusion starts or ends. */
export const EXCLUSION_LISTS = [
  exclusionRoutes.list,
  exclusionRoutes.preview,
  playerViewRoutes.head,
  playerViewRoutes.explain,
  recordRoutes.list,
] as const;

/**
 * Shows which queued payouts the end of this exclusion releases. Shows nothing if another exclusion also blocks these
 * payouts.
 */
function Released({ exclusion: { id, user_name } }: { exclusion: Exclusion }) {
  const { t } = useTranslation("exclusion");
  const { data: head } = useQuery(queryOf(playerViewRoutes.head, { query: { user_name } }));
  const queued = head?.payouts.find(({ payout_state }) => payout_state === "queued");
  const isHeld = head?.exclusions.some((one) => one.id !== id && holdsPayouts(one.kind));
  if (queued === undefined || isHeld !== false) {
    return null;
  }
  const { count, amount } = queued;
  return (
    <Alert
      type="warning"
      showIcon
      className="k-form-alert"
      title={t("lift_releases", { count, amount: grouped(amount) })}
    />
  );
}

export function LiftDialog({ exclusion, onClose }: { exclusion: Exclusion; onClose: () => void }) {
  const { t } = useTranslation(["exclusion", "lookups"]);
  const { send } = useAct(...EXCLUSION_LISTS);
  const { id, user_name: name, kind } = exclusion;
  return (
    <ReasonDialog
      title={t("lift_title", { name, kind: t(`lookups:exclusion_${kind}`) })}
      okText={t("lift")}
      draftKey={`exclusion:lift:${id}`}
      onSubmit={(reason, close) =>
        send(changeBy(exclusionRoutes.lift, { params: { id }, body: { reason } }), { close })
      }
      onClose={onClose}
    >
      <p>{t("lift_hint")}</p>
      {holdsPayouts(kind) && <Released exclusion={exclusion} />}
    </ReasonDialog>
  );
}
