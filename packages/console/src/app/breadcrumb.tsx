import { Link, useMatches } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

export function Breadcrumb() {
  const { t } = useTranslation("app");
  const places = useMatches().flatMap((match) => {
    const { title } = match.staticData;
    return title === undefined ? [] : [{ path: match.pathname, title }];
  });
  return (
    <nav aria-label={t("breadcrumb")} className="s-breadcrumb">
      <ol>
        {places.map(({ path, title }, index) => (
          <li key={path}>
            {index === places.length - 1 ? (
              <span aria-current="page" title={t(title)}>
                {t(title)}
              </span>
            ) : (
              <Link to={path}>{t(title)}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
