/**
 * One list: toolbar (or the batch bar while rows are ticked), totals, table, pages, and what is said
 * of loading. A page has one of these, or several.
 */
import { ReloadOutlined } from "@ant-design/icons";
import { Button, Switch } from "antd";
import type { ReactNode, RefObject } from "react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useColumnSettings } from "./column-settings.tsx";
import { DataTable } from "./data-table.tsx";
import type { ListTableProps } from "./list-table.ts";
import { DensityButton } from "./density.tsx";
import { grouped } from "./format.ts";
import { Hint } from "./hint.tsx";
import { useSeconds } from "./list-state.ts";
import type { ListState } from "./list-state.ts";
import { Pager } from "./pager.tsx";
import type { Paging } from "./pager.tsx";

interface AutoRefresh {
  on: boolean;
  toggle: (on: boolean) => void;
}

export interface ListPaging extends Paging {
  total: number;
  /** Name of the list, where another one can be seen below it. */
  of?: string;
  sizes?: readonly number[];
  /** `correcting`: not the operator's step, so going back must not lead to it. */
  onChange: (paging: Paging, correcting?: boolean) => void;
}

export interface ListPanelProps<Row> extends ListTableProps<Row> {
  /** Under this name the choice of columns is remembered. */
  id: string;
  /** Accessible name of the part; where the page has one list only, the page's title. */
  name: string;
  /** Buttons on the left of the toolbar. */
  tools?: ReactNode;
  /** Takes the toolbar's place while rows are ticked. */
  batch?: ReactNode;
  summary?: ReactNode;
  autoRefresh?: AutoRefresh;
  /** Absent where the whole list is one page. */
  paging?: ListPaging;
}

/** From then on the operator is told that it takes time, and can stop waiting (spec §9). */
const SLOW_SECONDS = 3;

export function ListPanel<Row extends object>(props: ListPanelProps<Row>) {
  const { id, name, list, paging, columns, summary, batch } = props;
  const { shown, button } = useColumnSettings(id, columns);
  const seconds = useSeconds(list.fetching);
  const slow = seconds >= SLOW_SECONDS;
  useLastPage(list, paging);
  const panel = useReadFromTop(paging?.page ?? 1);
  return (
    <section ref={panel} className="k-panel" aria-label={name}>
      <div className={list.fetching && !list.pending ? "k-bar k-bar-on" : "k-bar"} />
      {batch ?? <Toolbar {...props} columnButton={button} />}
      {summary}
      {slow && <Waiting seconds={seconds} list={list} />}
      {list.stopped && list.rows.length > 0 && <Stopped list={list} />}
      <DataTable {...props} columns={shown} />
      {paging !== undefined && paging.total > 0 && <Pager {...paging} />}
      <Told list={list} slow={slow} />
    </section>
  );
}

/** Another page is read from its first row. */
function useReadFromTop(page: number): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  const read = useRef(page);
  useEffect(() => {
    const { current } = panel;
    if (read.current !== page && current !== null) {
      current.querySelector(".ant-table-content")?.scrollTo({ top: 0 });
      if (current.getBoundingClientRect().top < 0) {
        current.scrollIntoView({ block: "start" });
      }
    }
    read.current = page;
  }, [page]);
  return panel;
}

/** A page behind the end, as after deleting its last row, leads to the last one there is. */
function useLastPage(list: ListState<unknown>, paging: ListPaging | undefined): void {
  const last = paging === undefined ? 1 : Math.ceil(paging.total / paging.size);
  const behind = paging !== undefined && !list.fetching && paging.total > 0 && paging.page > last;
  useEffect(() => {
    if (behind) {
      paging.onChange({ page: last, size: paging.size }, true);
    }
  });
}

interface ToolbarProps extends Pick<ListPanelProps<never>, "tools" | "autoRefresh"> {
  list: ListState<unknown>;
  columnButton: ReactNode;
}

function Toolbar({ tools, autoRefresh, list, columnButton }: ToolbarProps) {
  const { t } = useTranslation("ui");
  return (
    <div className="k-toolbar">
      <div className="k-tools">{tools}</div>
      <div className="k-tools k-tools-end">
        {autoRefresh !== undefined && (
          <label className="k-auto">
            <Switch
              size="small"
              checked={autoRefresh.on}
              onChange={autoRefresh.toggle}
              aria-label={t("auto_refresh")}
            />
            <span aria-hidden="true">{t("auto_refresh")}</span>
          </label>
        )}
        <Hint title={t("refresh")}>
          <Button
            type="text"
            icon={<ReloadOutlined spin={list.fetching} aria-hidden="true" />}
            aria-label={t("refresh")}
            onClick={list.retry}
          />
        </Hint>
        <DensityButton />
        {columnButton}
      </div>
    </div>
  );
}

/** Calls wait without limit (spec §9), so the operator is told, and can stop waiting. */
function Waiting({ seconds, list }: { seconds: number; list: ListState<unknown> }) {
  const { t } = useTranslation("ui");
  return (
    <div className="k-waiting">
      <span className="k-num">{t("still_loading", { seconds })}</span>
      <Button size="small" onClick={list.cancel}>
        {t("cancel")}
      </Button>
    </div>
  );
}

/** The rows are those of the last answer, and no better ones are on their way. */
function Stopped({ list }: { list: ListState<unknown> }) {
  const { t } = useTranslation("ui");
  return (
    <div className="k-waiting">
      {t("stopped_stale")}
      <Button size="small" onClick={list.retry}>
        {t("retry")}
      </Button>
    </div>
  );
}

/** What a screen reader is told; a failure is an alert of its own. */
function Told({ list, slow }: { list: ListState<unknown>; slow: boolean }) {
  const { t } = useTranslation("ui");
  const text = slow
    ? t("still_loading_told")
    : list.pending
      ? t("loading")
      : list.failed
        ? ""
        : list.stopped
          ? t("stopped")
          : t("loaded", { count: list.rows.length, total: grouped(list.total) });
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  );
}
