/** The wallet while payouts wait for it: since when, how many, how much (behaviour §6). */
import { WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { walletRoutes } from "@red/contract/payouts/wallet";
import type { WalletHealth } from "@red/contract/payouts/wallet";
import { shortMoment, useBusinessDay } from "#lib/clock.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { grouped } from "#ui/format.ts";
import { Banner } from "#forms/banner.tsx";

/** Trouble must show within half a minute. */
const POLL_MS = 8_000;

function useWalletHealth(): WalletHealth | null {
  const query = useQuery({
    // A background poll: its failure shows nothing, calls of the page fail visibly.
    ...queryOf(walletRoutes.health, {}, { background: true }),
    refetchInterval: POLL_MS,
  });
  return query.data ?? null;
}

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
      {/* Announced once; the rest changes all the time. */}
      <span role="status">{t("wallet_trouble", { since: shortMoment(since, today) })}</span>{" "}
      {/* These fit two lines on a phone; the rest expands. */}
      <Waiting waiting={waiting} /> {t("wallet_answer", { answer })}{" "}
      {next_try === null
        ? t("wallet_trying")
        : t("wallet_next_try", { time: shortMoment(next_try, today) })}{" "}
      {t("wallet_goes_on")}
    </Banner>
  );
}

export function WalletBanner() {
  const { t } = useTranslation("app");
  const health = useWalletHealth();
  if (useUser().wallet === "none") {
    return (
      <Banner tone="warning" icon={<WarningOutlined />}>
        {t("no_wallet_banner")} {health !== null && <Waiting {...health} />}
      </Banner>
    );
  }
  return health === null ? null : <Trouble {...health} />;
}
