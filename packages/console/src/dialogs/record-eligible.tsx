/** Said before an act on many records: which of them it can be done with, and which not and why. */
import { useTranslation } from "react-i18next";
import type { RecordPick } from "@red/contract/record";
import { grouped } from "#ui/format.ts";
import { eligibleFor, moneyOf } from "./record-money.ts";
import type { RecordAct } from "./record-money.ts";

interface EligibleNoteProps {
  /** Asking changes nothing and needs no such words. */
  act: Exclude<RecordAct, "ask">;
  records: readonly RecordPick[];
}

export function EligibleNote({ act, records }: EligibleNoteProps) {
  const { t } = useTranslation(["record", "lookups"]);
  const { taken, others } = eligibleFor(act, records);
  const states = others
    .map(([state, count]) => `${t(`lookups:state_${state}`)} ${grouped(count)}`)
    .join(t("list_comma"));
  return (
    <div className="r-acts-lead">
      <p>{t("batch_lead", { records: grouped(records.length), amount: moneyOf(records) })}</p>
      <p>
        <strong>
          {t(`eligible_${act}`, { records: grouped(taken.length), amount: moneyOf(taken) })}
        </strong>
      </p>
      {others.length > 0 && (
        <p>{t("not_eligible", { records: grouped(records.length - taken.length), states })}</p>
      )}
    </div>
  );
}
