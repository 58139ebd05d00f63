/** What an operator must know all the time, the most urgent first. A banner with nothing to say renders nothing. */
import { ExperimentOutlined, WarningOutlined } from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useUser } from "#lib/session.ts";
import { Banner } from "#forms/banner.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Stopped } from "#stops/stop-banner.tsx";
import { WalletBanner } from "./wallet-banner.tsx";

/** Fewer may be slips of the operator's own. */
const GUESSED_FROM = 5;

function Guessed() {
  const { t } = useTranslation("app");
  const codes = useUser().wrong_codes;
  return codes < GUESSED_FROM ? null : (
    <Banner
      tone="danger"
      icon={<WarningOutlined />}
      action={
        <Link className="k-link" to="/activity_manage/own">
          {t("activity_own")}
        </Link>
      }
    >
      {t("guessed_banner", { codes })}
    </Banner>
  );
}

function Demonstration() {
  const { t } = useTranslation("app");
  return useUser().demo ? (
    <Banner tone="info" icon={<ExperimentOutlined />}>
      {t("demo_banner")}
    </Banner>
  ) : null;
}

export function Banners() {
  const { t } = useTranslation("app");
  return (
    <aside aria-label={t("banners")} className="s-banners">
      <ConnectionBanner />
      <Stopped />
      <WalletBanner />
      <Guessed />
      <Demonstration />
    </aside>
  );
}
