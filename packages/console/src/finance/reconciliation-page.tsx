/** Reconciliation with the wallet's statement. Shows the differences, and operators settle them here (behaviour §6). */
import { SwapOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import { sumAmounts } from "@red/contract/platform/money";
import { BREAK_KINDS, reconciliationRoutes } from "@red/contract/finance/reconciliation";
import type { breakSum, ReconciliationBreak } from "@red/contract/finance/reconciliation";
import { recordRoutes } from "@red/contract/records/record";
import { sheetRoutes } from "@red/contract/finance/sheet";
import { useAct } from "#forms/act.ts";
import { FilterPage } from "#forms/filter-page.tsx";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { permissionProps } from "#lib/permission-props.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { BatchBar } from "#ui/batch-bar.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import { useOpened } from "#ui/opened.tsx";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { asShown, useSelection } from "#ui/selection.ts";
import { useToast } from "#ui/toast.tsx";
import { useBreakColumns } from "./break-columns.tsx";
import { RECONCILIATION_SEARCH } from "./search.ts";
import { RECONCILIATION_TEXTS } from "./reconciliation-texts.ts";
import { RunList } from "./run-list.tsx";
import "./reconciliation.css";

const RunDialog = lazyPart(
  async () => (await import("./run-dialog.tsx")).RunDialog,
  LoadFailedDialog,
);

addTexts("reconciliation", RECONCILIATION_TEXTS);

interface MendDialogProps {
  end: "adopted" | "accepted";
  breaks: readonly ReconciliationBreak[];
  onDone: () => void;
  onClose: () => void;
}

/**
 * Settles differences with a reason. The operator adopts the wallet's result or accepts the differences (behaviour §6).
 */
function MendDialog({ end, breaks, onDone, onClose }: MendDialogProps) {
  const { t } = useTranslation(["reconciliation", "contract"]);
  const toast = useToast();
  const { send } = useAct(
    reconciliationRoutes.breaks,
    reconciliationRoutes.list,
    recordRoutes.list,
    sheetRoutes.detail,
  );

  const save = async (reason: string, close: Close) => {
    const ids = breaks.map(({ id }) => id);
    await send(changeBy(reconciliationRoutes.mend, { body: { ids, end, reason } }), {
      text: ({ refused: [first] }) => (first === undefined ? t("contract:mended") : null),
      done: ({ refused: [first, ...more] }) => {
        if (first !== undefined) {
          toast.warning(t("mend_refused", { count: more.length + 1, reason: first.reason }));
        }
        close(onDone);
      },
    });
  };

  return (
    <ReasonDialog
      title={t(`mend_${end}`)}
      label={t("reason")}
      missing={t("contract:enter_mend_reason")}
      draftKey={`break:${end}:${breaks.length}:${breaks[0]?.id ?? 0}`}
      okText={t(end === "adopted" ? "mend_adopted" : "accept")}
      failedText={t("contract:mend_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t(`mend_${end}_hint`)}</p>
    </ReasonDialog>
  );
}

const keyOf = ({ id }: ReconciliationBreak) => id;

/** Returns the total of the selected differences. The wallet's amount comes before our amount. */
function moneyOf(breaks: readonly ReconciliationBreak[]): string {
  return sumAmounts(breaks.map(({ their_amount, our_amount }) => their_amount ?? our_amount ?? ""));
}

function BreakSums({ sums }: { sums: readonly z.output<typeof breakSum>[] }) {
  const { t } = useTranslation("reconciliation");
  if (sums.length === 0) {
    return null;
  }
  return (
    <div className="k-totals">
      <dl aria-label={t("sums")}>
        {sums.map(({ kind, count, amount }) => (
          <Figure key={kind} term={t(`kind_${kind}`)}>
            {t("sum_entry", { count, records: grouped(count), amount: grouped(amount) })}
          </Figure>
        ))}
      </dl>
    </div>
  );
}

export function ReconciliationPage() {
  const { t } = useTranslation("reconciliation");
  const mayPay = useMay("record.pay");
  const address = useListSearch(RECONCILIATION_SEARCH);
  const { filter, paging } = address;
  const list = useList(
    listQueryOf(reconciliationRoutes.breaks, {
      query: { ...filter, kind: BREAK_KINDS.find((kind) => kind === filter.kind), ...paging },
    }),
  );
  const selection = useSelection({ keyOf, scope: JSON.stringify(filter) });
  const ticked = asShown(selection.ticked, list, keyOf);
  const columns = useBreakColumns();
  const fields: readonly QueryField[] = [
    selectField("kind", t("kind"), BREAK_KINDS, (kind) => t(`kind_${kind}`)),
    selectField("open", t("open"), [1, 0], (open) => t(`open_${open}`)),
    { kind: "digits", name: "rounds_id", label: t("rounds_id") },
  ];
  const { open, close, show } = useOpened<"run" | "adopted" | "accepted">();
  return (
    <FilterPage
      id="reconciliation"
      title={t("title")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={reconciliationRoutes.breaks.query}
      tools={
        <Button
          type="primary"
          icon={<SwapOutlined aria-hidden="true" />}
          {...permissionProps(mayPay)}
          onClick={() => open("run")}
        >
          {t("run")}
        </Button>
      }
      batch={
        selection.size > 0 ? (
          <BatchBar
            text={t("selected", { count: selection.size, amount: grouped(moneyOf(ticked)) })}
            notes={[]}
            onClear={selection.clear}
          >
            <Button type="primary" {...permissionProps(mayPay)} onClick={() => open("adopted")}>
              {t("mend_adopted")}
            </Button>
            <Button {...permissionProps(mayPay)} onClick={() => open("accepted")}>
              {t("accept")}
            </Button>
          </BatchBar>
        ) : undefined
      }
      summary={<BreakSums sums={list.data?.sums ?? []} />}
      list={list}
      emptyAction={t("no_breaks")}
      label={t("list")}
      columns={columns}
      keyOf={keyOf}
      nameOf={({ trans_sn }) => trans_sn}
      selection={selection}
    >
      <RunList />
      {show((dialog) =>
        dialog === "run" ? (
          <RunDialog onClose={close} />
        ) : (
          <MendDialog
            end={dialog}
            breaks={ticked}
            onDone={() => {
              selection.clear();
              close();
            }}
            onClose={close}
          />
        ),
      )}
    </FilterPage>
  );
}
