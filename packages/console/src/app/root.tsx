/** The frame of every page: sets the document title and shows an error page if the page fails. */
import { Outlet, useMatches } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { currentConfig, loadConfig } from "#lib/config.ts";
import { LoadFailedNote } from "#lib/lazy-part.tsx";
import type { LoadFailedProps } from "#lib/lazy-part.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import "./error-pages.css";

function usePageName(): string | null {
  const { t } = useTranslation("app");
  const title = useMatches().at(-1)?.staticData.title;
  return title === undefined ? null : t(title);
}

/** Sets the document title to `<page> - red packet`. */
function useDocumentTitle(): void {
  const page = usePageName();
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

export function LostPage(props: LoadFailedProps) {
  return (
    <div className="e-page">
      <PageTitle>{usePageName()}</PageTitle>
      <LoadFailedNote {...props} />
    </div>
  );
}

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
