import type { UseQueryResult } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";

/** Shown in place of data that is still loading or failed to load, with a button to try again. */
export function NotLoaded({ query }: { query: UseQueryResult }) {
  const { t } = useTranslation("ui");
  return query.isError ? (
    <div className="k-empty" role="alert">
      <p className="k-empty-title">{query.error.message}</p>
      <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
    </div>
  ) : (
    <p role="status" aria-busy="true">
      {t("loading")}
    </p>
  );
}
