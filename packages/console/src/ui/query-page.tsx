/**
 * The skeleton of every list page, top to bottom: title, filters, toolbar (or the batch bar while
 * rows are ticked), totals, table, pages.
 */
import { ReloadOutlined } from "@ant-design/icons";
import { Button, Switch, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { DensityButton } from "./density.tsx";
import { grouped } from "./format.ts";
import { useSlow } from "./list-state.ts";
import type { ListState } from "./list-state.ts";
import { PageTitle } from "./page-title.tsx";
import { Pager } from "./pager.tsx";
import type { Paging } from "./pager.tsx";

interface AutoRefresh {
  on: boolean;
  toggle: (on: boolean) => void;
}

interface QueryPageProps {
  title: string;
  form?: ReactNode;
  /** What belongs between title and table, for example tabs. */
  above?: ReactNode;
  /** Buttons on the left of the toolbar. */
  tools?: ReactNode;
  /** Takes the toolbar's place while rows are ticked. */
  batch?: ReactNode;
  summary?: ReactNode;
  autoRefresh?: AutoRefresh;
  list: ListState<unknown>;
  /** Absent where the whole list is one page. */
  paging?: Paging & {
    total: number;
    /** `correcting`: not the operator's step, so going back must not lead to it. */
    onChange: (paging: Paging, correcting?: boolean) => void;
  };
  children: ReactNode;
}

export function QueryPage(props: QueryPageProps) {
  const { t } = useTranslation("ui");
  const { list, paging } = props;
  const panel = useRef<HTMLElement>(null);
  useLastPage(list, paging);
  return (
    <div className="k-page">
      <PageTitle>{props.title}</PageTitle>
      {props.form}
      {props.above}
      <section ref={panel} className="k-panel" aria-label={props.title}>
        <div className={list.fetching && !list.pending ? "k-bar k-bar-on" : "k-bar"} />
        {props.batch ?? <Toolbar {...props} />}
        {props.summary}
        <Waiting list={list} />
        {props.children}
        {paging !== undefined && paging.total > 0 && (
          <Pager
            {...paging}
            onChange={(next) => {
              paging.onChange(next);
              toTop(panel.current);
            }}
          />
        )}
        <p className="sr-only" role="status">
          {list.pending
            ? t("loading")
            : t("loaded", { count: list.rows.length, total: grouped(list.total) })}
        </p>
      </section>
    </div>
  );
}

/** Another page is read from its first row. */
function toTop(panel: HTMLElement | null): void {
  panel?.querySelector(".ant-table-content")?.scrollTo({ top: 0 });
  if (panel !== null && panel.getBoundingClientRect().top < 0) {
    panel.scrollIntoView({ block: "start" });
  }
}

/** A page behind the end, as after deleting its last row, leads to the last one there is. */
function useLastPage(list: ListState<unknown>, paging: QueryPageProps["paging"]): void {
  const last = paging === undefined ? 1 : Math.ceil(paging.total / paging.size);
  const behind = paging !== undefined && !list.fetching && paging.total > 0 && paging.page > last;
  useEffect(() => {
    if (behind) {
      paging.onChange({ page: last, size: paging.size }, true);
    }
  });
}

function Toolbar({ tools, autoRefresh, list }: QueryPageProps) {
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
        <Tooltip title={t("refresh")}>
          <Button
            type="text"
            icon={<ReloadOutlined spin={list.fetching} aria-hidden="true" />}
            aria-label={t("refresh")}
            onClick={list.retry}
          />
        </Tooltip>
        <DensityButton />
      </div>
    </div>
  );
}

/** Calls wait without limit (spec §9), so the operator is told, and can stop waiting. */
function Waiting({ list }: { list: ListState<unknown> }) {
  const { t } = useTranslation("ui");
  const slow = useSlow(list.fetching);
  if (!slow) {
    return null;
  }
  return (
    <div className="k-waiting" role="status">
      {t("still_waiting")}
      <Button size="small" onClick={list.cancel}>
        {t("cancel")}
      </Button>
    </div>
  );
}

interface BatchBarProps {
  children: ReactNode;
  /** How many, and how much. */
  text: string;
  onClear: () => void;
}

/** What can be done with the ticked rows. */
export function BatchBar({ children, text, onClear }: BatchBarProps) {
  const { t } = useTranslation("ui");
  return (
    <div className="k-toolbar k-batch">
      <div className="k-tools">
        <span role="status">{text}</span>
        {children}
        <Button type="link" onClick={onClear}>
          {t("clear_selection")}
        </Button>
      </div>
    </div>
  );
}
