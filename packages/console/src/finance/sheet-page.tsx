/**
 * Page with the sheet of a round. Finance checks whether the figures agree, exports the sheet and signs it (behaviour
 * §6).
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import { proofRoutes } from "@red/contract/evidence/proof";
import { sheetRoutes } from "@red/contract/finance/sheet";
import type { Sheet } from "@red/contract/finance/sheet";
import { useAct } from "#forms/act.ts";
import { changeBy } from "#lib/api.ts";
import { useBusinessNow } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf, queryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { Span } from "#ui/cells.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import { SHEET_SEARCH } from "./search.ts";
import { Exceptions, Prizes, SignOffs, Totals, Verdict, Wallet } from "./sheet-tables.tsx";
import { SHEET_TEXTS } from "./sheet-texts.ts";
import "./sheet.css";

addTexts("sheet", SHEET_TEXTS);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="t-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Number of rounds to load. Planned rounds come first in the response, but only started rounds are shown. */
const LISTED = 50;
const NAMED = 20;

/** Links to the sheets of the latest rounds, because few operators know the number of a round. */
function RecentRounds() {
  const { t } = useTranslation("sheet");
  const mayRead = useMay("activity.read");
  const now = useBusinessNow();
  const { data } = useQuery({
    ...listQueryOf(activityRoutes.list, { query: { page: 1, size: LISTED } }),
    enabled: mayRead,
  });
  const begun = (data?.content ?? []).filter(({ start_time }) => start_time <= now).slice(0, NAMED);
  if (begun.length === 0) {
    return null;
  }
  return (
    <Part title={t("recent")}>
      <ul className="t-rounds">
        {begun.map(({ id, rounds_name, start_time, end_time }) => (
          <li key={id}>
            <Link to="/activity_manage/sheet" search={{ rounds_id: String(id) }}>
              {t("round", { name: rounds_name, id })}
            </Link>
            <span className="t-note">
              <Span start={start_time} end={end_time} />
              {end_time >= now && <span>{t("not_over")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Signs the figures that the operator saw, even if newer figures have arrived. */
function useSign(): (sheet: Sheet) => void {
  const { t } = useTranslation("sheet");
  const { act } = useAct(sheetRoutes.detail);
  return ({ rounds_id, rounds_name, hash }) => {
    const content = (
      <>
        <p>{t("sign_content", { name: rounds_name })}</p>
        <p className="t-hash">{t("fingerprint", { hash })}</p>
      </>
    );
    const words = { title: t("sign_title"), okText: t("sign"), content };
    const sent = { params: { id: rounds_id }, body: { hash } };
    void act(changeBy(sheetRoutes.sign, sent), { words });
  };
}

function SheetView({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("sheet");
  const maySign = useMay("sheet.sign");
  const maySeeAmounts = useMay("amount.see");
  const sign = useSign();
  const { rounds_id, rounds_name, start_time, end_time, not_ready } = sheet;
  return (
    <div className="t-sheet">
      <div className="k-toolbar">
        <div className="t-head">
          <h2>{t("round", { name: rounds_name, id: rounds_id })}</h2>
          <p className="t-note">{t("window", { start: start_time, end: end_time })}</p>
        </div>
        <div className="k-tools t-tools">
          <ExportButton
            label={t("export")}
            onExport={(format) =>
              downloadFile(sheetRoutes.exportFile, { format }, { id: rounds_id })
            }
          />
          <Button
            {...permissionProps(maySeeAmounts)}
            onClick={() => void downloadFile(proofRoutes.round, {}, { id: rounds_id })}
          >
            {t("proof")}
          </Button>
          <Button
            type={not_ready === null ? "primary" : "default"}
            {...permissionProps(maySign, not_ready !== null)}
            onClick={() => sign(sheet)}
          >
            {t("sign")}
          </Button>
        </div>
      </div>
      <Verdict sheet={sheet} />
      {not_ready !== null && <p className="t-note">{not_ready}</p>}
      <div className="t-columns">
        <Part title={t("figures")}>
          <Totals sheet={sheet} />
        </Part>
        <Part title={t("wallet")}>
          <Wallet sheet={sheet} />
        </Part>
        <Part title={t("sign_offs")}>
          <SignOffs signOffs={sheet.sign_offs} />
        </Part>
      </div>
      <Part title={t("prizes")}>
        <Prizes prizes={sheet.prizes} />
      </Part>
      <Part title={t("exceptions")}>
        <Exceptions exceptions={sheet.exceptions} />
      </Part>
    </div>
  );
}

export function SheetPage() {
  const { t } = useTranslation("sheet");
  const { filter, query, reset } = useListSearch(SHEET_SEARCH);
  const id = Number(filter.rounds_id ?? 0);
  const sheet = useQuery({ ...queryOf(sheetRoutes.detail, { params: { id } }), enabled: id > 0 });
  const refetch = () => void sheet.refetch();
  return (
    <Page title={t("title")} refresh={refetch}>
      <QueryForm
        id="sheet"
        label={t("filter")}
        fields={[{ kind: "digits", name: "rounds_id", label: t("rounds_id") }]}
        values={filter}
        onQuery={(values) => query(values, refetch)}
        onReset={() => reset(() => undefined)}
      />
      {id === 0 ? (
        <div className="t-sheet">
          <p className="t-note">{t("choose_round")}</p>
          <RecentRounds />
        </div>
      ) : sheet.isError || sheet.data === undefined ? (
        <NotLoaded query={sheet} />
      ) : (
        <SheetView sheet={sheet.data} />
      )}
    </Page>
  );
}
