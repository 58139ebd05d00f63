/** Banners above every page, in the order of urgency. A banner without a message renders nothing. */
import { DisconnectOutlined, ExperimentOutlined, WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button } from "antd";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { walletRoutes } from "@red/contract/payouts/wallet";
import type { WalletHealth } from "@red/contract/payouts/wallet";
import { Banner } from "#forms/banner.tsx";
import { shortMoment, useBusinessDay } from "#lib/clock.ts";
import { currentConnection, onConnection, probe } from "#lib/connection.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Stopped } from "#stops/stop-banner.tsx";
import { grouped } from "#ui/format.ts";
import { useToast } from "#ui/toast.tsx";

function Connection() {
  const { t } = useTranslation("app");
  const toast = useToast();
  const connection = useSyncExternalStore(onConnection, currentConnection);
  const previous = useRef(connection);
  useEffect(() => {
    if (previous.current !== "up" && connection === "up") {
      toast.success(t("connection_back"));
    }
    previous.current = connection;
  }, [connection, toast, t]);
  if (connection === "up") {
    return null;
  }
  return (
    <Banner
      tone="danger"
      icon={<DisconnectOutlined />}
      action={
        <Button size="small" onClick={() => void probe()}>
          {t("connection_retry")}
        </Button>
      }
    >
      <span role="alert">{t(`connection_${connection}`)}</span>
    </Banner>
  );
}

/** Checks every eight seconds, because the operator must see wallet trouble within half a minute. */
const POLL_MS = 8_000;

function Waiting({ waiting }: Pick<WalletHealth, "waiting">) {
  const { t } = useTranslation("app");
  return waiting.count === 0 ? null : (
    <strong>
      {t("wallet_waiting", { waiting: grouped(waiting.count), amount: grouped(waiting.amount) })}
    </strong>
  );
}

function Trouble({ trouble, waiting }: WalletHealth) {
  const { t } = useTranslation("app");
  const today = useBusinessDay();
  if (trouble === null) {
    return null;
  }
  const { since, last_answer: answer, next_try } = trouble;
  return (
    <Banner tone="danger" icon={<WarningOutlined />}>
      {/* A screen reader announces only this sentence, because the rest of the banner changes all the time. */}
      <span role="status">{t("wallet_trouble", { since: shortMoment(since, today) })}</span>{" "}
      {/* The next texts fit into two lines on a phone. The operator can expand the rest of the banner. */}
      <Waiting waiting={waiting} /> {t("wallet_answer", { answer })}{" "}
      {next_try === null
        ? t("wallet_trying")
        : t("wallet_next_try", { time: shortMoment(next_try, today) })}{" "}
      {t("wallet_goes_on")}
    </Banner>
  );
}

/** Shows wallet trouble while payouts wait: since when, and the number and amount of waiting payouts (behaviour §6). */
function Wallet() {
  const { t } = useTranslation("app");
  const { data: health } = useQuery({
    // A failed background poll shows no message, because other calls of the page report the error.
    ...queryOf(walletRoutes.health, {}, { background: true }),
    refetchInterval: POLL_MS,
  });
  if (useUser().wallet === "none") {
    return (
      <Banner tone="warning" icon={<WarningOutlined />}>
        {t("no_wallet_banner")} {health && <Waiting {...health} />}
      </Banner>
    );
  }
  return health && <Trouble {...health} />;
}

/** Number of wrong codes from which the banner appears. Fewer wrong codes may be typing errors of the operator. */
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
      <Connection />
      <Stopped />
      <Wallet />
      <Guessed />
      <Demonstration />
    </aside>
  );
}
