/** Preview of saving a prize: its odds, the pool's costs, the running rounds (behaviour §5). */
import { WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useDeferredValue, useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize } from "@red/contract/pools/prize";
import { queryOf } from "#lib/query.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped, percent } from "#ui/format.ts";
import { prizeEffect } from "./prize-changes.ts";
import type { CostEffect, EnteredPrize, PrizeEffect as PrizeEffectOf } from "./prize-changes.ts";
import { useNaming, useRunningRounds } from "./use-running.ts";
import type { PoolFigures } from "./pool-math.ts";

/** Both values if they differ; only the second if there is no first. */
export function Change({ before, after }: { before: string | null; after: string }) {
  return before === null || before === after ? <>{after}</> : <>{`${before} → ${after}`}</>;
}

/** Most that the remaining stock may cost; a dash when too large to count in cents. */
export function largest({ exposure }: PoolFigures): string {
  return exposure === null ? "—" : grouped(exposure);
}

/** No alert: it stays with the form and is read with it. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="p-effect-warning">
      <WarningOutlined aria-hidden="true" /> {children}
    </p>
  );
}

/** Warns of costs that grow so much that it may be a slip. */
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

/** Warns that no prize of the pool will stand in for sold-out ones. */
export function LostFloor({ effect: { before, after } }: { effect: CostEffect }) {
  const { t } = useTranslation("prize");
  return before.hasGuaranteedStock && !after.hasGuaranteedStock ? (
    <Warning>{t("stand_in_lost")}</Warning>
  ) : null;
}

/** The pool's costs before and after; `children` are figures above them. */
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
            <Change before={grouped(before.average)} after={grouped(after.average)} />
          </span>
        </Figure>
        <Figure term={t("effect_exposure")}>
          <span className={marked(exposureJump)}>
            <Change before={largest(before)} after={largest(after)} />
          </span>
        </Figure>
      </dl>
      <CostJumps effect={effect} />
    </>
  );
}

const NAMED_MAX = 3;

/** Names a pool's guaranteed prizes with stock, in the order in which they stand in. */
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
  children: ReactNode;
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

interface PrizeEffectProps {
  pool_name: string;
  id: number | null;
}

interface FloorEffectProps {
  effect: PrizeEffectOf;
  id: number | null;
  prizes: readonly Prize[];
}

/** Effect of the guaranteed flag: what is given for sold-out prizes, before and after. */
function FloorEffect({ effect, id, prizes }: FloorEffectProps) {
  const { t } = useTranslation(["prize", "ui"]);
  const standIns = useStandIns();
  const { before, after, floors } = effect;
  // The prize itself may have a new name, or none yet.
  const nameOf = (standIn: number) => {
    const prize = prizes.find((other) => other.id === standIn && other.id !== id);
    return prize === undefined ? t("effect_this") : t("effect_round", { name: prize.award_name });
  };
  const yesNo = (value: 0 | 1) => t(value === 1 ? "ui:yes" : "ui:no");
  return (
    <>
      {floors !== null && (
        <Figure term={t("floors")}>
          <Change before={yesNo(floors.before)} after={yesNo(floors.after)} />
        </Figure>
      )}
      <Figure term={t("stand_in")}>
        <Change before={standIns(before, nameOf)} after={standIns(after, nameOf)} />
      </Figure>
    </>
  );
}

/** Watches the form itself, so that its fields do not render again with the preview. */
export function PrizeEffect({ pool_name, id }: PrizeEffectProps) {
  const { t } = useTranslation("prize");
  const form: FormInstance<EnteredPrize> = Form.useFormInstance<EnteredPrize>();
  const entered = useDeferredValue(Form.useWatch((all: EnteredPrize) => all, form));
  const query = { pool_name, page: 1, size: LOOKUP_SIZE };
  const prizes = useQuery(queryOf(prizeRoutes.list, { query }));
  const rows = prizes.data?.content;
  const effect = useMemo(
    () => (rows === undefined ? null : prizeEffect(rows, id, entered ?? {})),
    [rows, id, entered],
  );
  return (
    <EffectPanel pool_name={pool_name} effect={effect}>
      {effect !== null && rows !== undefined && (
        <>
          <Figure term={t("effect_odds")}>
            <Change
              before={effect.oddsBefore === null ? null : percent(effect.oddsBefore)}
              after={percent(effect.oddsAfter)}
            />
          </Figure>
          <FloorEffect effect={effect} id={id} prizes={rows} />
        </>
      )}
    </EffectPanel>
  );
}

interface StockEffectProps {
  prize: Prize;
  prizes: readonly Prize[];
}

/** What the pieces entered add to the prize's total and the pool's largest cost. */
export function StockEffect({ prize, prizes }: StockEffectProps) {
  const { t } = useTranslation("prize");
  const form = Form.useFormInstance<{ add?: string }>();
  const add = useDeferredValue(Form.useWatch("add", form));
  const { id, award_total, weight, award_price, floors } = prize;
  const total = award_total + Number(add ?? "");
  const effect = useMemo(
    () =>
      prizeEffect(prizes, id, {
        award_total: String(total),
        weight: String(weight),
        award_price,
        floors,
      }),
    [prizes, id, total, weight, award_price, floors],
  );
  return (
    <div className="p-effect-large">
      <EffectPanel pool_name={prize.pool_name} effect={effect}>
        <Figure term={t("effect_total")}>
          <Change before={grouped(award_total)} after={grouped(total)} />
        </Figure>
      </EffectPanel>
    </div>
  );
}

/** Text of the save button: whether the change is effective now. */
export function SavePrizeText({ pool_name }: { pool_name: string }) {
  const { t } = useTranslation(["prize", "ui"]);
  return t(useRunningRounds(pool_name).length > 0 ? "save_now" : "ui:save");
}
