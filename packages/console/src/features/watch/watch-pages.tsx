/** Is it going well: what needs somebody, today, and the rounds of now (behaviour §15). */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ROUND_ACTIVE } from "@red/contract/lookups";
import { watchRoutes } from "@red/contract/watch";
import type { Figure as Sum, Overview } from "@red/contract/watch";
import { addTexts } from "#lib/language.ts";
import { useWatch } from "#lib/watch.ts";
import { Span } from "#ui/cells.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { SOURCES } from "./figures.ts";
import type { Outcome, Source } from "./figures.ts";
import { WATCH_TEXTS } from "./watch-texts.ts";
import "./watch.css";

addTexts("watch", WATCH_TEXTS);

type Item = readonly [term: string, sum: Pick<Sum, "count"> & Partial<Sum>, from: Source];

/** A figure that opens its rows; its `data-` attributes say the same to a script. Goods have no money. */
function FigureLink({ of: [, { count, amount = "0.00" }, [page, search]] }: { of: Item }) {
  const path: string = `/activity_manage/${page}`;
  return (
    <Link
      to={path}
      search={search}
      className={count === 0 ? "k-note" : ""}
      data-source={`${path}?${new URLSearchParams(search).toString()}`}
      data-count={count}
      data-amount={amount}
    >
      <b>{grouped(count)}</b> {amount !== "0.00" && grouped(amount)}
    </Link>
  );
}

type FiguresProps = { title: string; items: readonly Item[]; children?: ReactNode };

function Figures({ title, items, children }: FiguresProps) {
  return (
    <section className="k-totals w-figures">
      <h2>{title}</h2>
      <dl>
        {items.map((item) => (
          <Figure key={item[0]} term={item[0]}>
            <FigureLink of={item} />
          </Figure>
        ))}
        {children}
      </dl>
    </section>
  );
}

function useOutcomes() {
  const { t } = useTranslation("watch");
  return <O extends Outcome>(sums: Readonly<Record<O, Sum>>, names: readonly O[], filter = {}) =>
    names.map((one): Item => [t(one as Outcome), sums[one], SOURCES.records(one, filter)]);
}

/** Whether players can draw now, and between which times. */
function Phase({ phase, start_time, end_time, ...round }: Omit<Overview["rounds"][0], "today">) {
  const { t } = useTranslation("watch");
  const isHeld = round.rounds_status !== ROUND_ACTIVE || round.pool_gate !== null;
  return (
    <Figure term={t(isHeld && phase !== "ended" ? "held" : phase)}>
      <Span start={start_time} end={end_time} />
    </Figure>
  );
}

function Live({ at, isLive }: { at: string; isLive: boolean }) {
  const { t } = useTranslation("watch");
  return (
    <p role="status" className={isLive ? "" : "k-status-warning"} data-live={isLive}>
      {t(isLive ? "live" : "stale", { time: at.slice("yyyy-MM-dd ".length) })}
    </p>
  );
}

export function OverviewPage() {
  const { t } = useTranslation(["watch", "app"]);
  const { query, data, isLive } = useWatch("overview", watchRoutes.overview, {});
  const outcomes = useOutcomes();
  if (data === undefined) {
    return <NotLoaded query={query} />;
  }
  const { day, needs, today } = data;
  const from = { start_time: day };
  const unsigned = needs.unsigned.map(({ month, count }): Item => [
    t("unsigned", { month }),
    { count },
    SOURCES.unsigned(month),
  ]);
  return (
    <Page title={t("app:activity_overview")}>
      <Live at={data.at} isLive={isLive} />
      <Figures
        title={t("needs")}
        items={[
          ...outcomes(needs, ["refused", "unknown", "check", "goods"]),
          [t("breaks"), needs.breaks, SOURCES.breaks()],
          ...unsigned,
        ]}
      >
        <Figure term={t("low")}>
          <b>{grouped(needs.low_prizes.count)}</b>
          {needs.low_prizes.prizes.map((one) => (
            <span key={one.prize_id} className="w-low">
              {one.award_name} {grouped(one.remaining)}/{grouped(one.award_total)}
            </span>
          ))}
        </Figure>
      </Figures>
      <Figures
        title={t("today")}
        items={[
          ...outcomes(today, ["drawn", "paid", "open", "goods", "closed"], from),
          [t("app:find_deposit"), today.deposits, SOURCES.deposits(day)],
          [t("app:find_bet"), today.bets, SOURCES.bets(day)],
        ]}
      />
      {data.rounds.map((round) => {
        const of = { rounds_id: String(round.rounds_id) };
        return (
          <Figures
            key={round.rounds_id}
            title={round.rounds_name}
            items={[
              [t("today"), round.today, SOURCES.records("drawn", { ...of, ...from })],
              [t("total"), round.drawn, SOURCES.records("drawn", of)],
            ]}
          >
            <Phase {...round} />
          </Figures>
        );
      })}
    </Page>
  );
}
