/** The wallet, when payouts have to wait for it: since when, how many, how much (behaviour §6). */
import { WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { walletRoutes } from "@red/contract/wallet";
import type { WalletHealth } from "@red/contract/wallet";
import { call } from "#lib/api.ts";
import { shortMoment, useBusinessDay } from "#lib/clock.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { grouped } from "#ui/format.ts";
import { Banner } from "./banner.tsx";

/** A trouble is to be seen within half a minute, on every page. */
const LOOK_MS = 8_000;

function useWalletHealth(): WalletHealth | null {
  const query = useQuery({
    ...queryOf(walletRoutes.health, {}),
    // Nobody asked for it: that it fails is for the page to say, whose calls fail too.
    queryFn: ({ signal }) => call(walletRoutes.health, {}, { signal, background: true }),
    refetchInterval: LOOK_MS,
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
      {/* Announced once; what waits and the next try change all the time. */}
      <span role="status">{t("wallet_trouble", { since: shortMoment(since, today) })}</span>{" "}
      {/* Two lines hold these on a phone; the rest is one touch away. */}
      <Waiting waiting={waiting} /> {t("wallet_answer", { answer })}{" "}
      {next_try === null
        ? t("wallet_trying")
        : t("wallet_next_try", { time: shortMoment(next_try, today) })}{" "}
      {t("wallet_goes_on")}
    </Banner>
  );
}

/** Says that there is no wallet, or that it is in trouble, and what waits for it. */
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
