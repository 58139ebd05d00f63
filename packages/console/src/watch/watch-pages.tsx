/** The overview and the board of a round, which also fits a large screen in a room (behaviour §15). */
import { Link, useParams } from "@tanstack/react-router";
import { Button } from "antd";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { STOP_NAMES } from "@red/contract/stops/stop-switch";
import { FIGURE_STATES, watchRoutes } from "@red/contract/watch/watch";
import type { Board, Figure as Sum, Overview } from "@red/contract/watch/watch";
import { addTexts } from "#lib/language.ts";
import { LoadFailedNote, lazyPart } from "#lib/lazy-part.tsx";
import { useWatch } from "#lib/watch.ts";
import { Span } from "#ui/cells.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { wholeList } from "#ui/list-state.ts";
import { useIsFullscreen } from "#ui/media.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import type { ChartData } from "./chart.tsx";
import { isHeld, phaseOf } from "./phase.ts";
import type { RoundPhase } from "./phase.ts";
import { WATCH_TEXTS } from "./watch-texts.ts";
import "./watch.css";

addTexts("watch", WATCH_TEXTS);

/** The chart library is loaded only when a chart is shown. */
const Chart = lazyPart(async () => (await import("./chart.tsx")).Chart, LoadFailedNote);

type Filter = Readonly<Record<string, string>>;
type Source = readonly [page: string, filter: Filter];
type Outcome = "drawn" | keyof typeof FIGURE_STATES;

/** For each figure, the page and the filter that list exactly its rows (contract/watch/watch.ts). */
const SOURCES = {
  records: (outcome: Outcome, filter: Filter = {}): Source => {
    const states = outcome !== "drawn" && { payout_state: FIGURE_STATES[outcome].join() };
    return ["distribution", { ...filter, ...states }];
  },
  deposits: (start_time: string): Source => ["deposit_bet", { tab: "0", start_time }],
  bets: (start_time: string): Source => ["deposit_bet", { tab: "1", start_time }],
  breaks: (): Source => ["reconciliation", { open: "1" }],
  unsigned: (month: string): Source => ["month", { month }],
} as const;

type Item = readonly [term: string, sum: Pick<Sum, "count"> & Partial<Sum>, from: Source];

/**
 * Links a figure to its rows. Tests read the figure from `data-` attributes. Physical prizes and a count of 0 show no
 * money.
 */
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
      <b>{grouped(count)}</b> {count > 0 && amount !== "0.00" && grouped(amount)}
    </Link>
  );
}

type FiguresProps = { title: ReactNode; items: readonly Item[]; children?: ReactNode };

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

/** Some outcomes are part of a larger outcome, such as `unknown` of `waiting`. */
const WITHIN: Partial<Record<Outcome, Outcome>> = {
  unknown: "waiting",
  ...({ waiting: "open", refused: "open", check: "open", goods: "open" } as const),
};

/** Returns figures by outcome. With a filter, the name of a figure also contains the larger outcome. */
function useOutcomes() {
  const { t } = useTranslation("watch");
  return (sums: Readonly<Record<Outcome, Sum>>, names: readonly Outcome[], filter?: Filter) =>
    names.map((one): Item => {
      const whole = filter && WITHIN[one];
      const term = whole ? t("within", { whole: t(whole), part: t(one) }) : t(one);
      const { count, ...money } = sums[one];
      return [term, { count, ...(one !== "goods" && money) }, SOURCES.records(one, filter)];
    });
}

type Times = Pick<Overview["rounds"][0], "start_time" | "end_time">;

/** Shows whether players can draw now, and the start and end of the round. */
function Phase({ of, start_time, end_time }: { of: RoundPhase } & Times) {
  const { t } = useTranslation("watch");
  return (
    <Figure term={t(of)}>
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

/** Shows how much of the round's time is over, and the last hour with a bar for each minute. */
function Pace({ pace, start_time, end_time, at }: Overview["rounds"][0] & { at: string }) {
  const { t } = useTranslation("watch");
  const [start = 0, now = 0, end = 0] = [start_time, at, end_time].map((time) => Date.parse(time));
  const most = Math.max(...pace);
  const sum = pace.reduce((all, one) => all + one, 0);
  const bars = pace.map((one, minute) => `M${minute} 1v-${one / Math.max(most, 1)}`);
  return (
    <>
      <Figure term={t("over")}>{Math.floor((100 * (now - start)) / (end - start))}%</Figure>
      <Figure term={t("lately")}>
        <svg className="w-pace" viewBox="-1 0 61 1" preserveAspectRatio="none" aria-hidden="true">
          <path d={bars.join("")} />
        </svg>
        {t("pace", { sum: grouped(sum), most: grouped(most) })}
      </Figure>
    </>
  );
}

const boardOf = (id: number): string => `/overview/${id}`;

export function OverviewPage() {
  const { t } = useTranslation(["watch", "app"]);
  const { query, data, isLive } = useWatch("overview", watchRoutes.overview, {});
  const outcomes = useOutcomes();
  if (data === undefined) {
    return <NotLoaded query={query} />;
  }
  const { day, needs, today, stopped } = data;
  const held = data.rounds.filter((round) => isHeld(round, stopped));
  const from = { start_time: day };
  const unsigned = needs.unsigned.map(({ month, count }): Item => [
    t("unsigned", { month }),
    { count },
    SOURCES.unsigned(month),
  ]);
  return (
    <Page title={t("app:activity_overview")} tools={<Live at={data.at} isLive={isLive} />}>
      <Figures
        title={t("needs")}
        items={[
          ...outcomes(needs, ["refused", "unknown", "check", "goods"]),
          [t("breaks"), needs.breaks, SOURCES.breaks()],
          ...unsigned,
        ]}
      >
        {held.length > 0 && (
          <Figure term={t("held")}>
            <b>{grouped(held.length)}</b>
            {held.map(({ rounds_id, rounds_name, pool_name }) => (
              <Link key={rounds_id} to={boardOf(rounds_id)} className="w-low">
                {rounds_name} ({pool_name})
              </Link>
            ))}
          </Figure>
        )}
        <Figure term={t("low")}>
          <b>{grouped(needs.low_prizes.count)}</b>
          {needs.low_prizes.prizes.map((one) => (
            <Link key={one.prize_id} to={boardOf(one.rounds_id)} className="w-low">
              {one.award_name} {grouped(one.remaining)}/{grouped(one.award_total)}
            </Link>
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
            title={<Link to={boardOf(round.rounds_id)}>{round.rounds_name}</Link>}
            items={[
              [t("today"), round.today, SOURCES.records("drawn", { ...of, ...from })],
              [t("total"), round.drawn, SOURCES.records("drawn", of)],
            ]}
          >
            <Phase {...round} of={phaseOf(round, stopped)} />
            {round.phase === "running" && <Pace {...round} at={data.at} />}
          </Figures>
        );
      })}
    </Page>
  );
}

interface ChartPanelProps extends ChartData {
  readonly name: string;
  /** `items` are links that the table shows instead of the numbers. */
  readonly series: readonly (ChartData["series"][0] & {
    readonly items?: readonly (Item | null)[];
  })[];
  /** Column headings of the table, for the names and the notes. */
  readonly heads: readonly [names: string, notes?: string];
}

/** A chart that answers one question. A button shows the numbers as a table, with the latest time first. */
function ChartPanel({ name, heads: [rowHead, noteHead], series, ...chart }: ChartPanelProps) {
  const { t } = useTranslation("watch");
  const [isTable, setTable] = useState(false);
  const { title, rows, notes, isLying } = chart;
  const numbers = series.map(({ name: key, data, items }) => ({
    key,
    title: key,
    align: "right" as const,
    render: ({ at }: { at: number }) => {
      const item = items?.[at];
      return item ? <FigureLink of={item} /> : grouped(data[at] ?? 0);
    },
  }));
  const noted = notes && {
    key: "note",
    title: noteHead ?? "",
    render: ({ at }: { at: number }) => notes[at],
  };
  const listed = rows.map((row, at) => ({ row, at }));
  const shown = series.map(({ name: one, data }) => ({ name: one, data }));
  const label = `${title} ${t("table")}`;
  return (
    <section
      className="k-panel"
      data-chart={name}
      data-series={JSON.stringify({ rows, series: shown })}
    >
      <div className="k-toolbar k-tools">
        <h2>{title}</h2>
        <Button aria-pressed={isTable} aria-label={label} onClick={() => setTable(!isTable)}>
          {t("table")}
        </Button>
      </div>
      {isTable || rows.length === 0 ? (
        <DataTable
          label={title}
          list={wholeList(isLying ? listed : listed.toReversed())}
          keyOf={({ at }) => at}
          nameOf={({ row }) => row}
          columns={[
            { key: "row", title: rowHead, rowHeader: true, render: ({ row }) => row },
            ...numbers,
            ...(noted ? [noted] : []),
          ]}
        />
      ) : (
        <Chart {...chart} series={shown} />
      )}
    </section>
  );
}

function Charts({ minutes, refusals, prizes, rounds_id: id, of }: Board & { of: RoundPhase }) {
  const { t } = useTranslation(["watch", "contract"]);
  const runsOut = ({ remaining, lately, runs_out_at }: Board["prizes"][0]) => {
    if (remaining === 0) {
      return t("empty");
    }
    if (of !== "running" && of !== "payouts_stopped") {
      return t(of);
    }
    return runs_out_at?.slice("yyyy-".length, -":00".length) ?? t(lately > 0 ? "lasts" : "resting");
  };
  const recordsOf = (filter: Record<string, string>) =>
    SOURCES.records("drawn", { rounds_id: String(id), ...filter });
  return (
    <div className="w-charts">
      <ChartPanel
        name="minutes"
        title={t("minutes")}
        heads={[t("minute")]}
        rows={minutes.map(({ minute }) => minute.slice(11, 16))}
        series={[
          {
            name: t("drawn"),
            data: minutes.map(({ drawn }) => drawn.count),
            items: minutes.map(({ minute: start_time, drawn }) => {
              const end_time = start_time.replace(/00$/, "59");
              return ["", drawn, recordsOf({ start_time, end_time })];
            }),
          },
          { name: t("refusals"), data: minutes.map(({ refused }) => refused) },
        ]}
      />
      <ChartPanel
        name="refusals"
        title={t("refusals")}
        heads={[t("reason")]}
        // Each reason is the key of an error text.
        rows={refusals.map(({ reason }) => t(`contract:${reason}` as "contract:sold_out"))}
        series={[{ name: t("calls"), data: refusals.map(({ count }) => count) }]}
        isLying
      />
      <ChartPanel
        name="stock"
        title={t("stock")}
        heads={[t("prize"), t("runs_out")]}
        rows={prizes.map(({ award_name: one, award_price }) => {
          const isNamed = one.includes(award_price.replace(/\.00$/, ""));
          return isNamed || award_price === "0.00" ? one : `${one} ${grouped(award_price)}`;
        })}
        notes={prizes.map(runsOut)}
        series={[
          { name: t("left"), data: prizes.map(({ remaining }) => remaining) },
          {
            name: t("drawn"),
            data: prizes.map(({ drawn }) => drawn.count),
            items: prizes.map(({ drawn_prize: one, drawn }) =>
              one === null ? null : ["", drawn, recordsOf({ drawn_prize: String(one) })],
            ),
          },
        ]}
        isLying
      />
    </div>
  );
}

export function BoardOf({ id }: { id: string }) {
  const { t } = useTranslation(["watch", "app", "stop", "ui"]);
  const input = { query: { activity: id } };
  const { query, data, isLive } = useWatch(`board:${id}`, watchRoutes.board, input);
  const outcomes = useOutcomes();
  const place = useRef<HTMLDivElement>(null);
  const isFull = useIsFullscreen();
  if (data === undefined) {
    return <NotLoaded query={query} />;
  }
  const { trouble } = data.wallet;
  const of = { rounds_id: id };
  const lately = SOURCES.records("drawn", { ...of, start_time: data.minutes[0]?.minute ?? "" });
  const phase = phaseOf(
    data,
    STOP_NAMES.filter((name) => data.stops.some((one) => one.name === name)),
  );
  const stops = data.stops.map((one) => t(`stop:still_${one.name}`, { name: one.pool_name ?? "" }));
  const turn = () => (isFull ? document.exitFullscreen() : place.current?.requestFullscreen());
  const tools = (
    <div className="k-toolbar">
      <Live at={data.at} isLive={isLive} />
      {document.fullscreenEnabled && (
        <Button onClick={() => void turn()}>{t(isFull ? "leave" : "fullscreen")}</Button>
      )}
    </div>
  );
  return (
    <div ref={place} className="w-board">
      <Page title={data.rounds_name} tools={tools}>
        <Figures
          title={t("pool", { name: data.pool_name })}
          items={[
            [t("lately"), data.lately, lately],
            ...outcomes(data, ["drawn", "paid", "open", "waiting", "unknown"], of),
            ...outcomes(data, ["refused", "check", "goods", "closed"], of),
          ]}
        >
          <Figure term={t("drains")}>
            {data.drains_at ?? t(data.waiting.count === 0 ? "drained" : "not_falling")}
          </Figure>
          <Figure term={t("wallet")}>
            {trouble === null ? t("works") : t("app:wallet_trouble", trouble)}
          </Figure>
          <Figure term={t("stopped")}>{stops.join(t("ui:list_comma")) || NOTHING}</Figure>
          <Phase {...data} of={phase} />
        </Figures>
        <Charts {...data} of={phase} />
      </Page>
    </div>
  );
}

export function BoardPage() {
  const { id = "" } = useParams({ strict: false });
  return <BoardOf key={id} id={id} />;
}
