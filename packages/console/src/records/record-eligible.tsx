import { useTranslation } from "react-i18next";
import type { RecordPick } from "@red/contract/records/record";
import { grouped } from "#ui/format.ts";
import { eligibleFor, hasMoney, moneyOf } from "./record-money.ts";
import type { RecordAct } from "./record-money.ts";

/** If there are more accounts, the text names only the first accounts and shows a count. */
const NAMED_MAX = 3;

function Whose({ records }: { records: readonly RecordPick[] }) {
  const { t } = useTranslation(["record", "ui"]);
  const [record, ...more] = records;
  if (record !== undefined && more.length === 0) {
    const { user_name, award_name, award_price } = record;
    const values = { name: user_name, prize: award_name, amount: grouped(award_price) };
    return <p>{t(hasMoney([record]) ? "reissue_content" : "goods_content", values)}</p>;
  }
  const accounts = [...new Set(records.map(({ user_name }) => user_name))];
  const names = accounts.slice(0, NAMED_MAX).join(t("ui:list_comma"));
  return (
    <p>
      {accounts.length > NAMED_MAX
        ? t("batch_accounts_more", { names, count: accounts.length })
        : t("batch_accounts", { names })}
    </p>
  );
}

interface EligibleNoteProps {
  /** Every act except "ask": a question to the wallet changes nothing and needs no note. */
  act: Exclude<RecordAct, "ask">;
  records: readonly RecordPick[];
}

/** Names the accounts of the selected records, and counts the records for which the act is possible. */
export function EligibleNote({ act, records }: EligibleNoteProps) {
  const { t } = useTranslation(["record", "lookups", "ui"]);
  const { taken, others } = eligibleFor(act, records);
  const rest = records.length - taken.length;
  const states = others
    .map(([state, count]) => `${t(`lookups:state_${state}`)} ${grouped(count)}`)
    .join(t("ui:list_comma"));
  return (
    <div className="r-acts-lead">
      <Whose records={records} />
      <p>
        {t(hasMoney(records) ? "batch_lead" : "batch_lead_goods", {
          count: records.length,
          records: grouped(records.length),
          amount: moneyOf(records),
        })}
      </p>
      <p>
        <strong>
          {t(`eligible_${act}`, { records: grouped(taken.length), amount: moneyOf(taken) })}
        </strong>
      </p>
      {rest > 0 && <p>{t("not_eligible", { count: rest, records: grouped(rest), states })}</p>}
    </div>
  );
}
