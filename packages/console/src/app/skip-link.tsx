import { useTranslation } from "react-i18next";

export function SkipLink() {
  const { t } = useTranslation("app");
  return (
    <a
      className="s-skip"
      href="#main"
      onClick={(event) => {
        // Move only the focus; the address belongs to the router.
        event.preventDefault();
        document.querySelector<HTMLElement>("#main")?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}
