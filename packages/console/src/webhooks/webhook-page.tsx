/** Page of the messages to the platform and their delivery (behaviour §14). */
import { CheckCircleOutlined, ClockCircleOutlined, CloseCircleOutlined } from "@ant-design/icons";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { WEBHOOK_STATES, WEBHOOK_TYPES, webhookRoutes } from "@red/contract/webhooks/webhook";
import type { Data } from "@red/contract/platform/route";
import type { WebhookMessage, WebhookType } from "@red/contract/webhooks/webhook";
import { useAct } from "#forms/act.ts";
import { FilterPage } from "#forms/filter-page.tsx";
import { changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { BatchBar } from "#ui/batch-bar.tsx";
import { BusyButton } from "#ui/busy-button.tsx";
import { Code, Name, Status } from "#ui/cells.tsx";
import { codeColumn, column, countColumn, momentColumn } from "#ui/columns.tsx";
import { NOTHING } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { useSelection } from "#ui/selection.ts";
import { WEBHOOK_SEARCH } from "./search.ts";
import { WEBHOOK_TEXTS } from "./webhook-texts.ts";

addTexts("webhook", WEBHOOK_TEXTS);

const TYPE_TEXTS = {
  "payout.succeeded": "payout_succeeded",
  "payout.failed": "payout_failed",
  "prize.low_stock": "prize_low_stock",
  "activity.paused": "activity_paused",
  "activity.resumed": "activity_resumed",
} as const satisfies Record<WebhookType, keyof typeof WEBHOOK_TEXTS.zh>;

const LOOKS = {
  waiting: { tone: "info", icon: <ClockCircleOutlined /> },
  delivered: { tone: "success", icon: <CheckCircleOutlined /> },
  given_up: { tone: "danger", icon: <CloseCircleOutlined /> },
} as const;

const NO_ANSWERS = {
  timeout: "answer_timeout",
  "too long": "answer_too_long",
  stopped: "answer_stopped",
} as const;

/** Shows the outcome of the last attempt in words. A connection error keeps its code. */
function Answer({ answer }: { answer: string }) {
  const { t } = useTranslation("webhook");
  const [, status] = /^status (\d+)$/.exec(answer) ?? [];
  const [, fault] = /^connection (.+)$/.exec(answer) ?? [];
  if (status !== undefined) {
    return t("answer_status", { status });
  }
  if (fault !== undefined) {
    return t("answer_connection", { fault });
  }
  return answer in NO_ANSWERS ? t(NO_ANSWERS[answer as keyof typeof NO_ANSWERS]) : answer;
}

/**
 * Shows the address for messages, its errors and the number of waiting messages. The role is `status`, because each
 * attempt updates the text.
 */
export function Summary(summary: Omit<Data<typeof webhookRoutes.list>, "content">) {
  const { t } = useTranslation("webhook");
  const { host, failing_since: since, failing_answer, next_try_at: next, waiting } = summary;
  const count = waiting > 0 ? ` · ${t("waiting_count", { count: waiting })}` : "";
  if (host === null || since === null) {
    return <span>{(host === null ? t("no_host") : t("host", { host })) + count}</span>;
  }
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      title={t("host_failing", { host, since }) + count}
      description={
        <>
          {failing_answer !== null && (
            <div>
              {t("failing_answer")}
              <Answer answer={failing_answer} />
            </div>
          )}
          {next !== null && <div>{t("failing_next", { next })}</div>}
        </>
      }
    />
  );
}

const keyOf = ({ id }: WebhookMessage) => id;

/** Interval at which the list reloads while a message waits. */
const REFRESH_MS = 5_000;

function useColumns(
  hasAddress: boolean,
  onRedeliver: (id: number) => void,
): readonly Column<WebhookMessage>[] {
  const { t } = useTranslation(["webhook", "ui"]);
  return [
    momentColumn("created_at", t("ui:time"), 110),
    column("type", t("type"), 120, ({ type }) => t(TYPE_TEXTS[type])),
    column("about", t("about"), { width: 200, rowHeader: true }, ({ type, about }) =>
      type.startsWith("payout.") ? <Code value={about} /> : <Name value={about} />,
    ),
    codeColumn("message_id", t("message_id"), 130),
    column("state", t("ui:state"), 150, ({ state, ended_at }) => (
      <div className="k-two-lines">
        <Status {...LOOKS[state]}>{t(state)}</Status>
        {ended_at !== null && <span className="k-note k-time">{ended_at}</span>}
      </div>
    )),
    countColumn("attempts", t("attempts"), 70),
    column("answer", t("answer"), 140, ({ answer }) =>
      answer === null ? NOTHING : <Answer answer={answer} />,
    ),
    momentColumn("next_at", t("next_at"), 110),
    column("actions", t("ui:actions"), { width: 100, actions: true }, ({ id, about }) => {
      const label = t("redeliver_label", { about });
      const action = { text: t("redeliver"), label, disabled: !hasAddress };
      return <RowActions actions={[{ ...action, onClick: () => onRedeliver(id) }]} />;
    }),
  ];
}

export function WebhookPage() {
  const { t } = useTranslation(["webhook", "app", "ui"]);
  const address = useListSearch(WEBHOOK_SEARCH);
  const input = webhookRoutes.list.query.parse({ ...address.filter, ...address.paging });
  const selection = useSelection({ keyOf, scope: JSON.stringify(address.filter) });
  const list = useList({
    ...listQueryOf(webhookRoutes.list, { query: input }),
    // Pause the refresh while rows are selected, because the rows must not move.
    refetchInterval: ({ state: { status, data } }) =>
      status === "success" && data?.waiting !== 0 && selection.size === 0 ? REFRESH_MS : false,
  });
  const { busy, act } = useAct(webhookRoutes.list);
  const redeliver = (ids: number[]) =>
    void act(changeBy(webhookRoutes.redeliver, { body: { ids } }), { done: selection.clear });
  const hasAddress = typeof list.data?.host === "string";
  const columns = useColumns(hasAddress, (id) => redeliver([id]));
  const fields: readonly QueryField[] = [
    selectField("state", t("ui:state"), WEBHOOK_STATES, (state) => t(state)),
    selectField("type", t("type"), WEBHOOK_TYPES, (type) => t(TYPE_TEXTS[type])),
    { kind: "text", name: "trans_sn", label: t("trans_sn") },
  ];
  return (
    <FilterPage
      id="webhooks"
      title={t("app:activity_webhook")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={webhookRoutes.list.query}
      tools={list.data !== undefined && <Summary {...list.data} />}
      batch={
        selection.size > 0 ? (
          <BatchBar
            text={t("selected", { count: selection.size })}
            notes={[]}
            onClear={selection.clear}
          >
            <BusyButton
              type="primary"
              disabled={!hasAddress}
              busy={busy}
              onClick={() => redeliver(selection.ticked.map(({ row }) => row.id))}
            >
              {t("redeliver")}
            </BusyButton>
          </BatchBar>
        ) : undefined
      }
      list={list}
      label={t("list")}
      columns={columns}
      keyOf={keyOf}
      nameOf={({ about }) => about}
      selection={selection}
    />
  );
}
