/** Why there are no rows: none exist, none match, loading failed, or it was stopped. */
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListState } from "./list-state.ts";

interface EmptyStateProps {
  list: Pick<ListState<unknown>, "failed" | "stopped" | "retry">;
  filtered: boolean;
  onClearFilters: (() => void) | undefined;
  action: ReactNode;
}

export function EmptyState({ list, filtered, onClearFilters, action }: EmptyStateProps) {
  const { t } = useTranslation("ui");
  if (list.failed) {
    return (
      <div className="k-empty" role="alert">
        <p className="k-empty-title">{t("load_failed")}</p>
        <Button onClick={list.retry}>{t("retry")}</Button>
      </div>
    );
  }
  if (list.stopped) {
    return (
      <div className="k-empty">
        <p className="k-empty-title">{t("stopped")}</p>
        <Button onClick={list.retry}>{t("retry")}</Button>
      </div>
    );
  }
  if (filtered) {
    return (
      <div className="k-empty">
        <p className="k-empty-title">{t("no_result")}</p>
        {onClearFilters !== undefined && (
          <Button onClick={onClearFilters}>{t("clear_filters")}</Button>
        )}
      </div>
    );
  }
  return (
    <div className="k-empty">
      <p className="k-empty-title">{t("no_data")}</p>
      {action}
    </div>
  );
}
