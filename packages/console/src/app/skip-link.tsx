/** The first thing that Tab reaches: past the navigation, to the content. */
import { useTranslation } from "react-i18next";

export function SkipLink() {
  const { t } = useTranslation("app");
  return (
    <a
      className="s-skip"
      href="#main"
      onClick={(event) => {
        // The address belongs to the router; only the focus moves.
        event.preventDefault();
        document.querySelector<HTMLElement>("#main")?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}
