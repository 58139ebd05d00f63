/** Which prize players get in place of one that is gone (behaviour §5). */
import { useTranslation } from "react-i18next";
import type { PoolFigures } from "#rounds/pool-math.ts";

/** More guaranteed prizes are counted, not named. */
const NAMED_MAX = 3;

/** Says it of a pool by the names of its guaranteed prizes with stock, in the order of their turn. */
export function useStandIns() {
  const { t } = useTranslation("prize");
  return ({ standIns }: PoolFigures, nameOf: (id: number) => string): string => {
    const [first, ...more] = standIns.slice(0, NAMED_MAX).map(nameOf);
    if (first === undefined) {
      return t("stand_in_none");
    }
    if (more.length === 0) {
      return first;
    }
    const values = { first, next: more.join(t("effect_and")), count: standIns.length };
    return t(standIns.length > NAMED_MAX ? "stand_in_more" : "stand_in_then", values);
  };
}
