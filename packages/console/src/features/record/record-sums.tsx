/** Count and money of the matches, per dispatch status. */
import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import type { recordSum } from "@red/contract/record";
import { AwardStatusTag } from "#records/record-columns.tsx";
import { grouped } from "#ui/format.ts";

type RecordSum = z.output<typeof recordSum>;

export function RecordSums({ sums }: { sums: readonly RecordSum[] }) {
  const { t } = useTranslation("record");
  if (sums.length === 0) {
    return null;
  }
  return (
    <div className="k-totals">
      <dl aria-label={t("sums")}>
        {sums.map(({ award_status, count, amount }) => (
          <div key={award_status}>
            <dt>
              <AwardStatusTag status={award_status} />
            </dt>
            <dd className="k-num">
              {t("sum_entry", { records: grouped(count), amount: grouped(amount) })}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
