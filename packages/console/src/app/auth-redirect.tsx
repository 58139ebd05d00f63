/** OAuth helper page: stores the query string for the window that opened this page, then closes. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** The opener window reads this key. */
const STORAGE_KEY = "x-admin-oauth-code";

export function AuthRedirect() {
  const { t } = useTranslation("app");
  useEffect(() => {
    localStorage.setItem(STORAGE_KEY, window.location.search.slice(1));
    window.close();
  }, []);
  // The operator sees this only if the browser does not let the page close itself.
  return (
    <main className="e-page">
      <h1>{t("auth_redirect")}</h1>
    </main>
  );
}
