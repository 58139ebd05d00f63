/** What an operator must know all the time: made-up data, payouts that wait. */
import { ExperimentOutlined, WarningOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { useUser } from "#lib/session.ts";

export function Banners() {
  const { t } = useTranslation("app");
  const { demo, wallet } = useUser();
  if (!demo && wallet !== "none") {
    return null;
  }
  return (
    <aside aria-label={t("banners")}>
      {demo && (
        <p className="s-banner s-banner-info">
          <ExperimentOutlined aria-hidden="true" />
          {t("demo_banner")}
        </p>
      )}
      {wallet === "none" && (
        <p className="s-banner s-banner-warning">
          <WarningOutlined aria-hidden="true" />
          {t("no_wallet_banner")}
        </p>
      )}
    </aside>
  );
}
