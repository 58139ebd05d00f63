/** What is around every page: the document's title, and what is shown when a page breaks. */
import { Outlet, useMatches } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { currentConfig, loadConfig } from "#lib/config.ts";
import "./error-pages.css";

/** `<page> - red packet`, in the chosen language. */
function useDocumentTitle(): void {
  const { t } = useTranslation("app");
  const title = useMatches().at(-1)?.staticData.title;
  const page = title === undefined ? null : t(title);
  useEffect(() => {
    void loadConfig().then(() => {
      const product = currentConfig().title;
      document.title = page === null ? product : `${page} - ${product}`;
    });
  }, [page]);
}

export function Root() {
  useDocumentTitle();
  return <Outlet />;
}

/** A defect of a page, or one whose files are gone since a newer console was installed. */
export function PageFailed() {
  const { t } = useTranslation("app");
  return (
    <div className="e-page" role="alert">
      <h1>{t("failed_title")}</h1>
      <p>{t("failed_text")}</p>
      <button type="button" className="e-button" onClick={() => window.location.reload()}>
        {t("reload")}
      </button>
    </div>
  );
}
