import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import type { ImportPreview, PoolPreview, PrizeOnWire } from "@red/contract/pools/prize";
import { figuresAfter, figuresOf, isPhysical } from "./pool-math.ts";
import { grouped, percent } from "#ui/format.ts";
import { TableHead } from "#ui/table-head.tsx";
import {
  CostJumps,
  LostFloor,
  Warning,
  changeText,
  largest,
  useReplacements,
} from "./prize-effect.tsx";
import { costEffect, importCounts, prizeChanges } from "./prize-changes.ts";
import type { PrizeChange, PrizeSide } from "./prize-changes.ts";
import { prizesOf } from "./prize-lists.ts";
import { useListing, useNaming, useRunningRounds } from "./use-running.ts";

const PRIZES_SHOWN = 200;

const NUMBERS = ["odds", "prize_total", "fields:weight", "average", "exposure"] as const;

export function ImportChanges({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation(["prize", "fields"]);
  const { added, pools } = preview;
  const { updated, same } = importCounts(preview);
  const numbers = NUMBERS.map((name) => t(name));
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={t(same === 0 ? "import_counts" : "import_counts_same", { added, updated, same })}
      />
      {pools.map((pool) => !pool.is_new && <PoolWarnings key={pool.pool_name} pool={pool} />)}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className="p-faults" role="region" aria-label={t("change_list")} tabIndex={0}>
        <table className="k-plain">
          <TableHead titles={[t("change_pool"), ...numbers]} right={numbers} />
          {pools.map((pool) => (
            <PoolChange key={pool.pool_name} pool={pool} />
          ))}
        </table>
      </div>
    </>
  );
}

function usePrizesBefore({ pool_name, is_new }: PoolPreview) {
  const { data, isError } = useQuery({ ...prizesOf(pool_name), enabled: !is_new });
  return { prizes: is_new ? [] : data?.content, isError };
}

/** Shows warnings to check before the import, in the words of the prize form. */
function PoolWarnings({ pool }: { pool: PoolPreview }) {
  const { t } = useTranslation(["prize", "ui"]);
  const { pool_name } = pool;
  const { prizes } = usePrizesBefore(pool);
  const running = useRunningRounds(pool_name);
  const naming = useNaming();
  const listing = useListing();
  const replacementText = useReplacements();
  if (prizes === undefined) {
    return null;
  }
  const effect = costEffect(figuresOf(prizes), figuresAfter(pool.prizes));
  const quoted = (name = "") => t("effect_round", { name });
  const nameOf = (id: number) => quoted(prizes.find((prize) => prize.id === id)?.award_name);
  const replacement = {
    before: replacementText(effect.before, nameOf),
    after: replacementText(effect.after, (at) => quoted(pool.prizes[at]?.award_name)),
  };
  const changes = prizeChanges(prizes, pool.prizes);
  const changesOf = (show: (side: PrizeSide) => string) =>
    changes.flatMap(({ award_name: name, before, after }) =>
      before === null || show(before) === show(after)
        ? []
        : [t("import_change", { name, before: show(before), after: show(after) })],
    );
  const named = {
    prices: changesOf(({ award_price }) => grouped(award_price)),
    floors: changesOf((side) => t(side.floors === 1 ? "ui:yes" : "ui:no")),
  };
  const isSameReplacement = replacement.before === replacement.after;
  const isFine = effect.averageJump === null && effect.exposureJump === null && isSameReplacement;
  if (isFine && named.prices.length + named.floors.length + running.length === 0) {
    return null;
  }
  return (
    <section className="p-effect" aria-label={pool_name}>
      <h2>{pool_name}</h2>
      <CostJumps effect={effect} />
      {(["prices", "floors"] as const).map(
        (of) =>
          named[of].length > 0 && (
            <Warning key={of}>
              {t(`import_${of}`, { prizes: listing(named[of], "more_prizes") })}
            </Warning>
          ),
      )}
      {!isSameReplacement && <Warning>{t("import_replacement", replacement)}</Warning>}
      <LostFloor effect={effect} />
      {running.length > 0 && <Warning>{naming("import_running", running)}</Warning>}
    </section>
  );
}

function PoolChange({ pool }: { pool: PoolPreview }) {
  const { t } = useTranslation(["prize", "ui"]);
  const { pool_name, is_new, before, after } = pool;
  const { prizes, isError } = usePrizesBefore(pool);
  const now = prizes && figuresOf(prizes);
  const then = figuresAfter(pool.prizes);
  const unknown = isError ? t("change_unknown") : t("ui:loading");
  const changes = prizes === undefined ? [] : prizeChanges(prizes, pool.prizes);
  return (
    <tbody>
      <tr className="p-change-pool">
        <th scope="rowgroup" colSpan={2}>
          {pool_name}
          {is_new && <span className="k-note"> {t("change_new")}</span>}
        </th>
        <td className="k-num k-right">
          {changeText(grouped(before.prize_total), grouped(after.prize_total))}
        </td>
        <td className="k-num k-right">
          {t("change_sum")} {changeText(grouped(before.weight_total), grouped(after.weight_total))}
        </td>
        <td className="k-num k-right">
          {changeText(now ? grouped(now.average) : unknown, grouped(then.average))}
        </td>
        <td className="k-num k-right">{changeText(now ? largest(now) : unknown, largest(then))}</td>
      </tr>
      {changes.slice(0, PRIZES_SHOWN).map((change) => (
        <PrizeRow key={change.award_name} change={change} />
      ))}
      {changes.length > PRIZES_SHOWN && (
        <tr>
          <td colSpan={1 + NUMBERS.length} className="k-note">
            {t("change_more", {
              count: changes.length - PRIZES_SHOWN,
              prizes: grouped(changes.length - PRIZES_SHOWN),
            })}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Fields without a column of their own. A row describes these fields in words. */
type DescribedField = "type" | Exclude<keyof PrizeOnWire, "award_name" | "award_total" | "weight">;

function PrizeRow({ change }: { change: PrizeChange }) {
  const { t } = useTranslation(["prize", "fields", "lookups", "ui"]);
  const { award_name, before, after } = change;
  const between = (show: (side: PrizeSide) => string) =>
    changeText(before === null ? null : show(before), show(after));
  const shownAs: Readonly<Record<DescribedField, (side: PrizeSide) => string>> = {
    award_price: (side) => grouped(side.award_price),
    type: (side) => t(isPhysical(side) ? "lookups:type_physical" : "lookups:type_virtual"),
    floors: (side) => t(side.floors === 1 ? "ui:yes" : "ui:no"),
  };
  // A new prize shows all fields. Other prizes show only the changed fields.
  const fields = (Object.keys(shownAs) as DescribedField[]).filter(
    (field) => before === null || shownAs[field](before) !== shownAs[field](after),
  );
  return (
    <tr>
      <th scope="row" className="p-change-prize">
        {award_name}
        {before === null && <span className="k-note"> {t("change_added")}</span>}
      </th>
      <td className="k-num k-right">{between(({ odds }) => percent(odds))}</td>
      <td className="k-num k-right">{between(({ award_total }) => grouped(award_total))}</td>
      <td className="k-num k-right">{between(({ weight }) => grouped(weight))}</td>
      <td colSpan={2} className="k-num k-right">
        {fields.map((field) => (
          <div key={field}>
            {t(field === "type" ? field : `fields:${field}`)} {between(shownAs[field])}
          </div>
        ))}
      </td>
    </tr>
  );
}
