/** Names the activity just switched: the list is on page 1 now (spec §4), where it may not be (behaviour §9). */
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/activity";
import { ROUND_ACTIVE } from "@red/contract/lookups";

interface ChangedNoticeProps {
  activity: Activity;
  isShown: boolean;
  onFind: () => void;
  onDismiss: () => void;
}

function scrollToMarked(): void {
  document.querySelector(".k-marked")?.scrollIntoView({ block: "center", behavior: "smooth" });
}

export function ChangedNotice({ activity, isShown, onFind, onDismiss }: ChangedNoticeProps) {
  const { t } = useTranslation("activity");
  const { id, rounds_name, rounds_status } = activity;
  return (
    <div className="k-notice">
      <span>
        {t(rounds_status === ROUND_ACTIVE ? "just_resumed" : "just_paused")}
        {t("changed_activity", { name: rounds_name, id })}
      </span>
      <Button type="link" size="small" onClick={isShown ? scrollToMarked : onFind}>
        {t("find")}
      </Button>
      <Button type="link" size="small" onClick={onDismiss}>
        {t("dismiss")}
      </Button>
    </div>
  );
}
