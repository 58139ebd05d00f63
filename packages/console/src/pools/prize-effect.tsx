/** Preview of saving a prize: the odds of the prize, the costs of the pool and the running rounds (behaviour §5). */
import { WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useDeferredValue, useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Prize } from "@red/contract/pools/prize";
import { Figure } from "#ui/figure.tsx";
import { grouped, percent } from "#ui/format.ts";
import { prizeEffect } from "./prize-changes.ts";
import type { CostEffect, EnteredPrize } from "./prize-changes.ts";
import type { PoolFigures } from "./pool-math.ts";
import { prizesOf } from "./prize-lists.ts";
import { useNaming, useRunningRounds } from "./use-running.ts";

/** Returns both values if they differ, else only the new value. `before` is null if there was no value. */
export function changeText(before: string | null, after: string): string {
  return before === null || before === after ? after : `${before} → ${after}`;
}

/** Returns the maximum cost of the remaining stock, or a dash if the amount is too large to count in cents. */
export function largest({ exposure }: PoolFigures): string {
  return exposure === null ? "—" : grouped(exposure);
}

/** The warning has no `alert` role, because screen readers read the warning as part of the form. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="p-effect-warning">
      <WarningOutlined aria-hidden="true" /> {children}
    </p>
  );
}

/** Warns of a cost increase that is so large that it may be a mistake. */
export function CostJumps({ effect }: { effect: CostEffect }) {
  const { t } = useTranslation("prize");
  const { averageJump, exposureJump } = effect;
  return (
    <>
      {averageJump !== null && (
        <Warning>{t("effect_average_jump", { times: grouped(averageJump) })}</Warning>
      )}
      {exposureJump !== null && (
        <Warning>{t("effect_exposure_jump", { times: grouped(exposureJump) })}</Warning>
      )}
    </>
  );
}

/** Warns if the pool loses its last guaranteed prize in stock. */
export function LostFloor({ effect: { before, after } }: { effect: CostEffect }) {
  const { t } = useTranslation("prize");
  return before.hasGuaranteedStock && !after.hasGuaranteedStock ? (
    <Warning>{t("replacement_lost")}</Warning>
  ) : null;
}

/** Shows the costs of the pool before and after. `children` are figures that come first. */
export function Figures({ effect, children }: { effect: CostEffect; children?: ReactNode }) {
  const { t } = useTranslation("prize");
  const { before, after, averageJump, exposureJump } = effect;
  const marked = (jump: number | null) => (jump === null ? "" : "p-effect-jump");
  return (
    <>
      <dl className="k-figures">
        {children}
        <Figure term={t("effect_average")}>
          <span className={marked(averageJump)}>
            {changeText(grouped(before.average), grouped(after.average))}
          </span>
        </Figure>
        <Figure term={t("effect_exposure")}>
          <span className={marked(exposureJump)}>
            {changeText(largest(before), largest(after))}
          </span>
        </Figure>
      </dl>
      <CostJumps effect={effect} />
    </>
  );
}

const NAMED_MAX = 3;

/** Returns a function that names the guaranteed prizes in stock, in the order in which they replace sold-out prizes. */
export function useReplacements() {
  const { t } = useTranslation(["prize", "ui"]);
  return ({ replacements }: PoolFigures, nameOf: (id: number) => string): string => {
    const [first, ...more] = replacements.slice(0, NAMED_MAX).map(nameOf);
    if (first === undefined) {
      return t("replacement_none");
    }
    if (more.length === 0) {
      return first;
    }
    const values = { first, next: more.join(t("ui:list_comma")), count: replacements.length };
    return t(replacements.length > NAMED_MAX ? "replacement_more" : "replacement_then", values);
  };
}

function Running({ pool_name }: { pool_name: string }) {
  const { t } = useTranslation("prize");
  const running = useRunningRounds(pool_name);
  const naming = useNaming();
  if (running.length === 0) {
    return <p className="k-note">{t("effect_from_next")}</p>;
  }
  return <Warning>{naming("effect_running", running)}</Warning>;
}

interface EffectPanelProps {
  pool_name: string;
  effect: CostEffect | null;
  children?: ReactNode;
}

function EffectPanel({ pool_name, effect, children }: EffectPanelProps) {
  const { t } = useTranslation("prize");
  return (
    <section className="p-effect" aria-label={t("effect")}>
      <h2>{t("effect")}</h2>
      {effect !== null && (
        <>
          <Figures effect={effect}>{children}</Figures>
          <LostFloor effect={effect} />
        </>
      )}
      <Running pool_name={pool_name} />
    </section>
  );
}

/** Watches the form directly, so that the form fields do not render again with the preview. */
export function PrizeEffect({ pool_name, id }: { pool_name: string; id: number | null }) {
  const { t } = useTranslation(["prize", "fields", "ui"]);
  const replacementText = useReplacements();
  const form: FormInstance<EnteredPrize> = Form.useFormInstance<EnteredPrize>();
  const entered = useDeferredValue(Form.useWatch((all: EnteredPrize) => all, form));
  const rows = useQuery(prizesOf(pool_name)).data?.content;
  const effect = useMemo(
    () => (rows === undefined ? null : prizeEffect(rows, id, entered ?? {})),
    [rows, id, entered],
  );
  if (effect === null) {
    return <EffectPanel pool_name={pool_name} effect={null} />;
  }
  const { before, after, floors, oddsBefore, oddsAfter } = effect;
  // The form may contain a new name of the prize, or no name yet.
  const nameOf = (prizeId: number) => {
    const prize = rows?.find((other) => other.id === prizeId && other.id !== id);
    return prize === undefined ? t("effect_this") : t("effect_round", { name: prize.award_name });
  };
  const yesNo = (value: 0 | 1) => t(value === 1 ? "ui:yes" : "ui:no");
  return (
    <EffectPanel pool_name={pool_name} effect={effect}>
      <Figure term={t("effect_odds")}>
        {changeText(oddsBefore === null ? null : percent(oddsBefore), percent(oddsAfter))}
      </Figure>
      {floors !== null && (
        <Figure term={t("fields:floors")}>
          {changeText(yesNo(floors.before), yesNo(floors.after))}
        </Figure>
      )}
      <Figure term={t("replacement")}>
        {changeText(replacementText(before, nameOf), replacementText(after, nameOf))}
      </Figure>
    </EffectPanel>
  );
}

/** Shows how the entered pieces change the total of the prize and the maximum cost of the pool. */
export function StockEffect({ prize, prizes }: { prize: Prize; prizes: readonly Prize[] }) {
  const { t } = useTranslation("prize");
  const form = Form.useFormInstance<{ add?: string }>();
  const add = useDeferredValue(Form.useWatch("add", form));
  const { award_total } = prize;
  const total = award_total + Number(add ?? "");
  const effect = useMemo(() => {
    const entered = { ...prize, award_total: String(total), weight: String(prize.weight) };
    return prizeEffect(prizes, prize.id, entered);
  }, [prizes, prize, total]);
  return (
    <div className="p-effect-large">
      <EffectPanel pool_name={prize.pool_name} effect={effect}>
        <Figure term={t("effect_total")}>{changeText(grouped(award_total), grouped(total))}</Figure>
      </EffectPanel>
    </div>
  );
}

/** Text of the save button. The text says whether the change takes effect now. */
export function SavePrizeText({ pool_name }: { pool_name: string }) {
  const { t } = useTranslation(["prize", "ui"]);
  return t(useRunningRounds(pool_name).length > 0 ? "save_now" : "ui:save");
}
