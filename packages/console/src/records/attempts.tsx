/** Shows how a record was drawn, and every attempt to pay it (behaviour §6). */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/records/record";
import type { DrawRecord, PayoutAttempt } from "@red/contract/records/record";
import { useChangesEntry } from "#forms/changes-entry.ts";
import { queryOf } from "#lib/query.ts";
import { NOTHING } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { TableHead } from "#ui/table-head.tsx";
import { walletReasonWhole } from "./wallet-reason.ts";
import "./attempts.css";

/** Returns the text key for a record without attempts. Physical prizes never have attempts (behaviour §6). */
function noneKeyOf({ type, payout_state }: DrawRecord) {
  if (type === "virtual") {
    return "attempts_none";
  }
  return payout_state === "delivered" ? "attempts_delivered" : "attempts_waiting";
}

export function Attempts({ record }: { record: DrawRecord }) {
  const { t } = useTranslation("record");
  const { t: tJob } = useTranslation("job");
  const { log_id, draw_no, rule_version, pool_version, extra_time_id, wallet_ref } = record;
  const { fail_reason, check_reason, note } = record;
  const query = useQuery(queryOf(recordRoutes.attempts, { params: { id: log_id } }));
  const changes = useChangesEntry();
  const facts = [
    t("draw_detail", { draw_no, rule_version, pool_version }),
    extra_time_id === null ? t("draw_earned") : t("draw_extra", { id: extra_time_id }),
    wallet_ref && t("wallet_ref", { ref: wallet_ref }),
    // Show the full reason here, because the table only has space for its beginning.
    fail_reason && t("fail_reason", { reason: walletReasonWhole(fail_reason, tJob) }),
    check_reason && walletReasonWhole(check_reason, tJob),
    note && t("note", { note }),
  ];
  return (
    <section className="r-attempts" aria-label={t("attempts")}>
      <p className="k-note">{facts.filter(Boolean).join(" · ")}</p>
      <RowActions actions={changes("record", log_id, record.award_name)} />
      {query.isSuccess ? (
        <AttemptTable record={record} attempts={query.data.content} />
      ) : (
        <NotLoaded query={query} />
      )}
    </section>
  );
}

const FIELDS = ["no", "kind", "at", "duration", "operator", "outcome", "http", "detail"] as const;

type AttemptTableProps = { record: DrawRecord; attempts: readonly PayoutAttempt[] };

function AttemptTable({ record, attempts }: AttemptTableProps) {
  const { t } = useTranslation("record");
  if (attempts.length === 0) {
    return <p className="k-note">{t(noneKeyOf(record))}</p>;
  }
  return (
    <table className="k-plain" aria-label={t("attempts")}>
      <TableHead
        titles={FIELDS.map((key) => t(`attempt_${key}`))}
        right={[t("attempt_duration")]}
      />
      <tbody>
        {attempts.map((attempt) => (
          <tr key={attempt.no}>
            <td className="k-num">{attempt.no}</td>
            <td>{t(`kind_${attempt.kind}`)}</td>
            <td className="k-num">{attempt.at}</td>
            <td className="k-num k-right">{attempt.duration_ms ?? NOTHING}</td>
            <td>{attempt.operator ?? t("by_system")}</td>
            <td>
              <Outcome value={attempt.outcome} />
            </td>
            <td className="k-num">{attempt.http_status ?? NOTHING}</td>
            <td>
              <AttemptDetail attempt={attempt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const OUTCOMES = ["paid", "refused", "processing", "never_seen"] as const;
const UNCLEAR = "unclear: ";

/** Shows the outcome of an attempt. An unknown value is shown unchanged. */
function Outcome({ value }: { value: string }) {
  const { t } = useTranslation("record");
  if (value.startsWith(UNCLEAR)) {
    return t("outcome_unclear", { why: value.slice(UNCLEAR.length) });
  }
  const known = OUTCOMES.find((outcome) => outcome === value);
  return known === undefined ? value : t(`outcome_${known}`);
}

function AttemptDetail({ attempt: { request, answer } }: { attempt: PayoutAttempt }) {
  const { t } = useTranslation("record");
  if (request === null && answer === null) {
    return <>{NOTHING}</>;
  }
  return (
    <details>
      <summary>{t("attempt_show")}</summary>
      <dl className="r-exchange">
        <dt>{t("attempt_request")}</dt>
        <dd>
          <code>{request ?? NOTHING}</code>
        </dd>
        <dt>{t("attempt_answer")}</dt>
        <dd>
          <code>{answer ?? NOTHING}</code>
        </dd>
      </dl>
    </details>
  );
}
