/** Answers the two questions that support asks first: why the player cannot draw, and where the money is. */
import { CheckCircleFilled, ExclamationCircleFilled } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PlayerHead } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { canDraw, standingText } from "@red/engine/standing-text";
import { useReissue } from "#records/record-acts.tsx";
import { call } from "#lib/api.ts";
import { useLanguage } from "#lib/language.ts";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { useHeldText, useMoneyText } from "./money-text.ts";

/**
 * Number of rounds that are listed at first. A button shows the other rounds, so that the money below stays in view.
 */
const SHOWN_MAX = 3;

/** Shows "good" or "not good" by icon and colour. The sentence beside the mark says this too. */
function Mark({ good }: { good: boolean }) {
  return (
    <span className={good ? "p-mark p-mark-good" : "p-mark"} aria-hidden="true">
      {good ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
    </span>
  );
}

/** Returns the state of the round, which stands beside its name. A paused round is not running. */
function whenOf({ is_current, gates }: PlayerHead["rounds"][number]) {
  return !is_current ? "latest" : gates.includes("paused") ? "paused_now" : "now";
}

function WhyNoDraw({ head }: { head: PlayerHead }) {
  const { t } = useTranslation("player_view");
  const language = useLanguage();
  const change = usePageChange(SHELL_SEARCH);
  const { rounds, blocked_since } = head;
  const isCurrent = rounds[0]?.is_current === true;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rounds : rounds.slice(0, SHOWN_MAX);
  return (
    <>
      {!isCurrent && <p>{t(rounds.length === 0 ? "no_round" : "no_round_now")}</p>}
      <ul>
        {shown.map((round) => (
          <li key={round.rounds_id}>
            <Mark good={canDraw(round)} />
            <span>
              <button
                type="button"
                className="k-link p-why"
                aria-label={t("explain", { name: round.rounds_name })}
                onClick={() =>
                  change(
                    { player_tab: undefined, player_round: String(round.rounds_id) },
                    { replace: true },
                  )
                }
              >
                {round.rounds_name}
              </button>
              <span className="k-note">{t(whenOf(round))}</span>
              {standingText(round, blocked_since, language)}
            </span>
          </li>
        ))}
      </ul>
      {rounds.length > SHOWN_MAX && (
        <button
          type="button"
          className="k-link"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t("fewer_rounds") : t("more_rounds", { count: rounds.length - SHOWN_MAX })}
        </button>
      )}
    </>
  );
}

/** Button that re-issues the refused payouts, beside the sentence about these payouts. */
function ReissueRefused({ user_name, count }: { user_name: string; count: number }) {
  const { t } = useTranslation(["player_view", "record"]);
  const mayRead = useMay("record.read");
  const mayPay = useMay("record.pay");
  const { busy, reissueMany } = useReissue(() => undefined);
  const isOnPage = useOnPage();
  const looking = useMutation({
    mutationFn: () => {
      const query = { user_name, award_status: AWARD_STATUS.failed };
      return call(recordRoutes.ids, { query });
    },
    onSuccess: ({ content }) => void (isOnPage() && reissueMany(content)),
  });
  if (!mayRead) {
    return null;
  }
  return (
    <BusyButton
      type="link"
      size="small"
      className="p-act"
      busy={busy || looking.isPending}
      {...permissionProps(mayPay)}
      aria-label={t("reissue_refused", { count })}
      onClick={() => looking.mutate()}
    >
      {t("record:reissue")}
    </BusyButton>
  );
}

function WhereIsTheMoney({ head }: { head: PlayerHead }) {
  const { user_name, payouts, payouts_stopped_since: since } = head;
  const { t } = useTranslation("player_view");
  const held = useHeldText(head.exclusions);
  const text = useMoneyText();
  if (payouts.length === 0) {
    return <p>{t("money_none")}</p>;
  }
  const isQueued = payouts.some(({ payout_state }) => payout_state === "queued");
  const reasons = [since === null ? [] : t("money_stopped", { since }), held ?? []].flat();
  return (
    <ul>
      {isQueued &&
        reasons.map((reason) => (
          <li key={reason}>
            <Mark good={false} />
            <span>{reason}</span>
          </li>
        ))}
      {payouts.map((sum) => (
        <li key={sum.payout_state}>
          <Mark good={STATUS_OF_STATE[sum.payout_state] === 1} />
          <span>
            {text(sum)}
            {sum.payout_state === "refused" && (
              <ReissueRefused user_name={user_name} count={sum.count} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function PlayerAnswer({ head }: { head: PlayerHead }) {
  const { t } = useTranslation("player_view");
  return (
    <div className="p-answers">
      <section className="p-answer" aria-label={t("why")}>
        <h2>{t("why")}</h2>
        <WhyNoDraw head={head} />
      </section>
      <section className="p-answer" aria-label={t("money")}>
        <h2>{t("money")}</h2>
        <WhereIsTheMoney head={head} />
      </section>
    </div>
  );
}
