/** The pages /404 and /401 (spec §2). These pages load no data. */
import { Link, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PERMISSION_TEXTS } from "@red/contract/platform/permissions";
import { useLanguage } from "#lib/language.ts";
import { NOT_PERMITTED_SEARCH, usePageSearch } from "#lib/search.ts";
import { PageTitle } from "#ui/page-title.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("app");
  return (
    <main className="e-page">
      <p className="e-code" aria-hidden="true">
        404
      </p>
      <PageTitle>{t("not_found")}</PageTitle>
      <p lang="en">{t("not_found_text")}</p>
      <p className="e-hint">{t("not_found_hint")}</p>
      <Link to="/" className="e-button" lang="en">
        {t("back_home")}
      </Link>
    </main>
  );
}

export function NotPermittedPage() {
  const { t } = useTranslation("app");
  const router = useRouter();
  const [{ permission: id = "" }] = usePageSearch(NOT_PERMITTED_SEARCH);
  const words: Readonly<Record<string, string>> = PERMISSION_TEXTS[useLanguage()];
  const permission = words[id];
  const goBack = () => {
    if (window.history.length > 1) {
      router.history.back();
    } else {
      // The first page of a tab has no earlier page to go back to.
      void router.navigate({ to: "/" });
    }
  };
  return (
    <main className="e-page">
      <p className="e-code" aria-hidden="true">
        401
      </p>
      <PageTitle>{t("no_permission")}</PageTitle>
      {permission !== undefined && <p>{t("no_permission_needed", { permission })}</p>}
      <p className="e-hint">{t("no_permission_hint")}</p>
      <p className="e-actions">
        <button type="button" className="e-button" onClick={goBack}>
          {t("go_back")}
        </button>
        <Link to="/" className="e-button">
          {t("go_home")}
        </Link>
      </p>
    </main>
  );
}
