/** Deletes pools and prizes after a dialog that shows the effect (behaviour §5). */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { poolRoutes } from "@red/contract/pools/pool";
import type { Pool } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize } from "@red/contract/pools/prize";
import { isLastDrawable } from "./pool-math.ts";
import { useAct } from "#forms/act.ts";
import { changeBy } from "#lib/api.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { Figure } from "#ui/figure.tsx";
import { percent } from "#ui/format.ts";
import { useToast } from "#ui/toast.tsx";
import { Figures, Warning, changeText } from "./prize-effect.tsx";
import { removalEffect } from "./prize-changes.ts";
import type { RemovalEffect } from "./prize-changes.ts";
import { PRIZE_LISTS } from "./prize-lists.ts";
import { useFindRunning, useNaming } from "./use-running.ts";

const ODDS_SHOWN = 4;

/** Shows the pool after the deletion: the odds of the other prizes, the costs and a lost guarantee. */
function RemovalNote({ effect, children }: { effect: RemovalEffect; children: ReactNode }) {
  const { t } = useTranslation("prize");
  const { odds, isOnlyFloor } = effect;
  const count = odds.length - ODDS_SHOWN;
  return (
    <section className="p-effect" aria-label={t("remove_effect")}>
      <h2>{t("remove_effect")}</h2>
      <Figures effect={effect}>
        {odds.slice(0, ODDS_SHOWN).map(({ award_name, before, after }) => (
          <Figure key={award_name} term={t("remove_odds", { name: award_name })}>
            {changeText(percent(before), percent(after))}
          </Figure>
        ))}
      </Figures>
      {count > 0 && <p className="k-note">{t("remove_odds_more", { count })}</p>}
      {isOnlyFloor && <Warning>{t("remove_floor")}</Warning>}
      {children}
    </section>
  );
}

/** `leave` runs after a pool was deleted. */
export function useRemovals(leave: () => void) {
  const { t } = useTranslation("prize");
  const pools = useAct(poolRoutes.list);
  const prizes = useAct(...PRIZE_LISTS);
  const findRunning = useFindRunning();
  const naming = useNaming();
  const confirm = useConfirm();
  const toast = useToast();
  const isOnPage = useOnPage();
  const removePool = async ({ id, pool_name: name, prizes, rounds }: Pool) => {
    if (rounds > 0) {
      toast.warning(t("remove_pool_in_use", { count: rounds }));
      return;
    }
    const title = t("remove_pool_confirm", { name });
    const content = t(prizes === 0 ? "remove_pool_empty" : "remove_pool_content", {
      count: prizes,
    });
    if (await confirm({ title, content, danger: true })) {
      await pools.act(changeBy(poolRoutes.remove, { params: { id } }), { done: leave });
    }
  };
  const removePrize = async (prize: Prize, all: readonly Prize[]) => {
    const { id, award_name: name, pool_name } = prize;
    const title = t("remove_confirm");
    const isLast = isLastDrawable(all, prize);
    const running = await findRunning(pool_name);
    if (!isOnPage()) {
      return;
    }
    const content = (
      <>
        <p>{t("remove_content", { name })}</p>
        {isLast ? (
          <p className="p-effect-warning">
            {running.length > 0 ? naming("remove_last_running", running) : t("remove_last")}
          </p>
        ) : (
          <RemovalNote effect={removalEffect(all, prize)}>
            {running.length > 0 && <Warning>{naming("remove_running", running)}</Warning>}
          </RemovalNote>
        )}
      </>
    );
    if (await confirm({ title, content, danger: true })) {
      await prizes.act(changeBy(prizeRoutes.remove, { params: { id } }));
    }
  };
  return { removePool, removePrize };
}
