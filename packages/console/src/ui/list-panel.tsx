/**
 * List with toolbar, totals, table, pager and loading state. The batch bar replaces the toolbar while rows are
 * selected.
 */
import { ReloadOutlined } from "@ant-design/icons";
import { Button, Switch } from "antd";
import type { ReactNode, RefObject } from "react";
import { useContext, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useColumnSettings } from "./column-settings.tsx";
import { DataTable } from "./data-table.tsx";
import type { ListTableProps } from "./list-table.ts";
import { grouped } from "./format.ts";
import { IconButton } from "./hint.tsx";
import { useSeconds } from "./list-state.ts";
import type { ListState } from "./list-state.ts";
import { HeadContext } from "./page.tsx";
import { Pager } from "./pager.tsx";
import type { PagerProps } from "./pager.tsx";

export interface ListPanelProps<Row> extends ListTableProps<Row> {
  id: string;
  /**
   * Accessible name; the default is `label`. The only list of a page takes the title of the page, and its tools are
   * beside the title.
   */
  name?: string;
  tools?: ReactNode;
  batch?: ReactNode;
  summary?: ReactNode;
  autoRefresh?: { on: boolean; toggle: (on: boolean) => void };
  /** Absent if the whole list is on one page. */
  paging?: PagerProps;
}

/** After this number of seconds the list shows the waiting time and a button to stop loading (spec §9). */
const SLOW_SECONDS = 3;

export function ListPanel<Row extends object>(props: ListPanelProps<Row>) {
  const { id, label, name = label, list, paging, columns, summary, batch } = props;
  const { t } = useTranslation("ui");
  const { shown, button } = useColumnSettings(id, columns);
  const seconds = useSeconds(list.fetching);
  const slow = seconds >= SLOW_SECONDS;
  useLastPage(list, paging);
  const panel = useReadFromTop(paging?.page ?? 1);
  const place = useContext(HeadContext);
  const head = props.name === undefined ? undefined : place;
  const bar = batch ?? <Toolbar {...props} columnButton={button} />;
  return (
    <section ref={panel} className="k-panel" aria-label={name}>
      <div className={list.fetching && !list.pending ? "k-bar k-bar-on" : "k-bar"} />
      {head === undefined ? bar : head && createPortal(bar, head)}
      {summary}
      {slow && <Waiting seconds={seconds} list={list} />}
      {list.stopped && list.rows.length > 0 && (
        <div className="k-waiting">
          {t("stopped_stale")}
          <Button size="small" onClick={list.retry}>
            {t("retry")}
          </Button>
        </div>
      )}
      <DataTable {...props} columns={shown} />
      {paging !== undefined && paging.total > 0 && <Pager {...paging} />}
      <Announcement list={list} slow={slow} />
    </section>
  );
}

/** Scrolls to the first row after the page number has changed. */
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

/** Goes to the last page when the current page does not exist any more, for example after its only row was deleted. */
function useLastPage(list: ListState<unknown>, paging: PagerProps | undefined): void {
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
        <IconButton
          title={t("refresh")}
          icon={<ReloadOutlined spin={list.fetching} aria-hidden="true" />}
          onClick={list.retry}
        />
        {columnButton}
      </div>
    </div>
  );
}

/** Shows the waiting time and a button to stop loading, because calls have no time limit (spec §9). */
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

/** Announces the state of the list to screen readers. A failure has its own alert. */
function Announcement({ list, slow }: { list: ListState<unknown>; slow: boolean }) {
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
