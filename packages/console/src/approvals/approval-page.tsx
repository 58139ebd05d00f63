/**
 * Page of the changes that need a second person (behaviour §16). That person approves changes with one code, or
 * rejects a change with a reason.
 */
import { App, Button } from "antd";
import { useTranslation } from "react-i18next";
import { APPROVAL_STATES, APPROVALS_MAX, approvalRoutes } from "@red/contract/approvals/approval";
import type { Approval } from "@red/contract/approvals/approval";
import { sumAmounts } from "@red/contract/platform/money";
import type { Data } from "@red/contract/platform/route";
import { useAct } from "#forms/act.ts";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { BatchBar } from "#ui/batch-bar.tsx";
import { Code, Money, Name } from "#ui/cells.tsx";
import { column, momentColumn, moneyColumn } from "#ui/columns.tsx";
import { grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { useOpened } from "#ui/opened.tsx";
import { Page } from "#ui/page.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { asShown, useSelection } from "#ui/selection.ts";
import { TabStrip } from "#ui/tab-strip.tsx";
import { useToast } from "#ui/toast.tsx";
import { APPROVAL_TEXTS } from "./approval-texts.ts";
import { Differences, useAuditWords } from "#evidence/audit-rows.tsx";
import { APPROVAL_SEARCH } from "./search.ts";

addTexts("approval", APPROVAL_TEXTS);

const FREE = "0.00";
const keyOf = ({ id }: Approval) => id;
const mayTick = ({ state, barred }: Approval) => state === "waiting" && barred === null;
const refusalOf = ({ barred }: Approval) => (barred === "own" ? "withdraw" : "refuse");

const APPROVAL_LISTS = [approvalRoutes.list, approvalRoutes.news];

/** Returns the number of the change and its planned acts in words. */
function usePlanWords() {
  const { t } = useTranslation(["approval", "ui"]);
  const words = useAuditWords();
  return ({ id, plan }: Approval) => {
    const acts = [...new Set(plan.map(({ action }) => action))].map((act) => {
      const [first, ...more] = plan.filter(({ action }) => action === act);
      return first === undefined || more.length > 0
        ? `${words.action(act)} ×${more.length + 1}`
        : words.act(first);
    });
    return `#${id} ${acts.join(t("ui:list_comma"))}`;
  };
}

type Results = Data<typeof approvalRoutes.approve>["results"];

/** Shows the outcome of each approved change. If a change created a password or a key, only this dialog shows it. */
function useShowResults(): (results: Results) => void {
  const { t } = useTranslation(["approval", "ui"]);
  const { modal } = App.useApp();
  const toast = useToast();
  return (results) => {
    if (results.every(({ state, note, secret }) => state === "done" && !note && !secret)) {
      toast.success(t("ran", { count: results.length }));
      return;
    }
    modal.info({
      title: t(results.some(({ secret }) => secret !== null) ? "secret_once" : "outcomes"),
      width: 640,
      keyboard: false,
      okText: t("ui:close"),
      content: results.map(({ id, state, note, secret }) => (
        <p key={id}>
          {`#${id} ${t(`state_${state}`)} ${note ?? ""}`}
          {secret !== null && <Code value={secret} />}
        </p>
      )),
    });
  };
}

/**
 * Shows the effects and possible cost of a change, the other risks of the person who made it, and why the change was
 * rejected or failed.
 */
function PlanDetails({ row: { plan, note, risk, risked } }: { row: Approval }) {
  const { t } = useTranslation(["approval", "stop"]);
  const words = useAuditWords();
  return (
    <div className="k-two-lines">
      {note !== null && <p>{note}</p>}
      {risk !== FREE && <p>{t("stop:risk_most", { sum: grouped(risk) })}</p>}
      {risked !== null && risked !== FREE && <p>{t("risked", { sum: grouped(risked) })}</p>}
      {[...plan.entries()].map(([at, one]) => (
        <section key={at}>
          <p>{words.act(one)}</p>
          <Differences {...one} />
        </section>
      ))}
    </div>
  );
}

/** Approves all rows with one code. `onDone` runs after a correct code. */
function useApprove(onDone: () => void): (rows: readonly Approval[]) => void {
  const { t } = useTranslation(["approval", "ui"]);
  const { act } = useAct(...APPROVAL_LISTS);
  const showResults = useShowResults();
  const words = useAuditWords();
  return (rows) => {
    const makers = rows.map(({ made_by, made_kind }) => words.actor(made_by, made_kind));
    const by = [...new Set(makers)].join(t("ui:list_comma"));
    const risk = grouped(sumAmounts(rows.map((row) => row.risk)));
    const content = (
      <>
        <p>
          {t("approve_hint", { by })}{" "}
          {rows.length > 1 && risk !== FREE && t("approve_risk", { risk })}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
        <div className="u-planned" role="group" aria-label={t("what")} tabIndex={0}>
          {rows.map((row) => (
            <div key={row.id}>
              <b>{`#${row.id}`}</b> <span className="k-note">{row.reason}</span>
              <PlanDetails row={row} />
            </div>
          ))}
        </div>
      </>
    );
    const title = t("approve_title", { count: rows.length });
    const body = { ids: rows.map(keyOf) };
    void act(changeBy(approvalRoutes.approve, { body }), {
      words: { title, okText: t("approve"), content },
      text: null,
      done: ({ results }) => {
        onDone();
        showResults(results);
      },
    });
  };
}

/** Rejects a change, or withdraws a change of this operator. */
function RefuseDialog({ row, onClose }: { row: Approval; onClose: () => void }) {
  const { t } = useTranslation("approval");
  const { send } = useAct(...APPROVAL_LISTS);
  const nameOf = usePlanWords();
  const { id } = row;
  const refuse = (reason: string, close: Close) => {
    const change = changeBy(approvalRoutes.refuse, { params: { id }, body: { reason } });
    return send(change, { close });
  };
  return (
    <ReasonDialog
      title={t(refusalOf(row))}
      okText={t(refusalOf(row))}
      draftKey={`approval:${id}`}
      onSubmit={refuse}
      onClose={onClose}
    >
      <p>{nameOf(row)}</p>
    </ReasonDialog>
  );
}

type Acts = Readonly<Record<"approve" | "refuse", (row: Approval) => void>>;

function useColumns(isWaiting: boolean, acts: Acts): readonly Column<Approval>[] {
  const { t } = useTranslation(["approval", "contract", "fields", "ui"]);
  const nameOf = usePlanWords();
  const words = useAuditWords();
  const who = (key: "made" | "decided") =>
    column<Approval>(key, t(key), 150, (row) => (
      <div className="k-two-lines">
        <span>
          {words.actor(row[`${key}_by`] ?? "", key === "made" ? row.made_kind : "operator")}
        </span>
        <span className="k-note k-time">{row[`${key}_at`]}</span>
      </div>
    ));
  const look = { width: 130, fixed: "end", actions: true } as const;
  const actions = column<Approval>("actions", t("ui:actions"), look, (row) => {
    const action = (verb: "approve" | ReturnType<typeof refusalOf>, act: Acts["approve"]) => {
      const label = `${t(verb)} ${nameOf(row)}`;
      return { text: t(verb), label, disabled: false, onClick: () => act(row) };
    };
    const { barred } = row;
    const off = barred !== null && { disabled: true, title: t(`contract:approval_${barred}`) };
    return (
      <RowActions
        actions={[
          { ...action("approve", acts.approve), ...off },
          { ...action(refusalOf(row), acts.refuse), danger: true },
        ]}
      />
    );
  });
  return [
    column("what", t("what"), { width: 240, rowHeader: true }, (row) => (
      <Name value={nameOf(row)} />
    )),
    who("made"),
    column("reason", t("fields:reason"), 180, ({ reason }) => <Name value={reason} />),
    {
      ...moneyColumn("risk", t("risk"), 110),
      render: ({ risk }) => <Money value={risk === FREE ? null : risk} />,
    },
    momentColumn("expires_at", t("fields:until"), 110),
    isWaiting ? actions : who("decided"),
  ];
}

export function ApprovalPage() {
  const { t } = useTranslation(["approval", "app", "contract", "ui"]);
  const { filter, paging, turn, query } = useListSearch(APPROVAL_SEARCH);
  const state = APPROVAL_STATES.find((one) => one === filter.state) ?? "waiting";
  const isWaiting = state === "waiting";
  const list = useList(listQueryOf(approvalRoutes.list, { query: { state, ...paging } }));
  const selection = useSelection({ keyOf, scope: state });
  const ticked = asShown(selection.ticked, list, keyOf);
  const approve = useApprove(selection.clear);
  const refused = useOpened<Approval>();
  const acts = { approve: (row: Approval) => approve([row]), refuse: refused.open };
  const columns = useColumns(isWaiting, acts);
  const title = t("app:activity_approval");
  const isTooMany = ticked.length > APPROVALS_MAX;
  return (
    <Page title={title} refresh={list.retry}>
      <TabStrip
        label={t("ui:state")}
        activeKey={state}
        onChange={(next) => query({ state: next }, list.retry)}
        items={APPROVAL_STATES.map((key) => ({ key, label: t(`state_${key}`) }))}
      />
      <ListPanel
        id="approvals"
        name={title}
        batch={
          ticked.length > 0 ? (
            <BatchBar
              text={t("selected", { count: ticked.length })}
              notes={isTooMany ? [t("contract:choose_approvals")] : []}
              onClear={selection.clear}
            >
              <Button type="primary" disabled={isTooMany} onClick={() => approve(ticked)}>
                {t("approve_ticked")}
              </Button>
            </BatchBar>
          ) : undefined
        }
        list={list}
        label={title}
        columns={columns}
        keyOf={keyOf}
        nameOf={usePlanWords()}
        {...(isWaiting && { selection: { ...selection, mayTick } })}
        expand={(row) => <PlanDetails row={row} />}
        paging={{ ...paging, total: list.total, onChange: turn }}
      />
      {refused.show((row) => (
        <RefuseDialog row={row} onClose={refused.close} />
      ))}
    </Page>
  );
}
