/**
 * Lines in the bell: changes that wait for this operator, and decisions about this operator's own changes (behaviour
 * §16).
 */
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { approvalRoutes } from "@red/contract/approvals/approval";
import type { ApprovalState } from "@red/contract/approvals/approval";
import type { Data } from "@red/contract/platform/route";
import { addTexts } from "#lib/language.ts";
import { notify } from "#lib/notices.ts";
import { queryClient, queryOf, refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";
import { APPROVAL_NEWS_TEXTS } from "./approval-news-texts.ts";

addTexts("approval_news", APPROVAL_NEWS_TEXTS);

/** While a change may need a second person, the news must arrive within five seconds. */
const ON_MS = 3_000;
const OFF_MS = 15_000;

type News = Data<typeof approvalRoutes.news>;

function useDecidedWords() {
  const { t } = useTranslation("approval_news");
  return ({ id, state, decided_by }: News["decided"][number]): string | null =>
    // The operator withdrew this change and needs no news about it.
    state === "waiting" || state === "withdrawn"
      ? null
      : t(`decided_${state}`, { id, by: decided_by ?? "" });
}

/**
 * Shows a toast for each decision made while the console is open. After a decision or a change of roles, the data is
 * loaded again.
 */
export function useApprovalNews(): News | undefined {
  const words = useDecidedWords();
  const toast = useToast();
  const { data } = useQuery({
    ...queryOf(approvalRoutes.news, {}, { background: true }),
    refetchInterval: ({ state }) => (state.data?.on === true ? ON_MS : OFF_MS),
  });
  const before = useRef(data);
  useEffect(() => {
    const [old, now] = [before.current, data];
    before.current = now;
    if (old === undefined || now === undefined) {
      return;
    }
    if (old.roles.join() !== now.roles.join()) {
      notify({ kind: "not_permitted" });
    }
    const decided = now.decided.filter(({ id }) => old.decided.every((one) => one.id !== id));
    for (const one of decided) {
      const text = words(one);
      if (text !== null) {
        (one.state === "done" ? toast.success : toast.warning)(text);
      }
    }
    if (decided.length > 0) {
      // The change may have affected any data, so load everything again.
      void queryClient.invalidateQueries();
    } else if (old.waiting !== now.waiting) {
      void refresh(approvalRoutes.list);
    }
  }, [data, words, toast]);
  return data;
}

export function ApprovalNews({ news, onLeave }: { news: News; onLeave: () => void }) {
  const { t } = useTranslation(["approval_news", "ui"]);
  const words = useDecidedWords();
  const line = (text: string, state: ApprovalState, link: string) => (
    <li key={text}>
      <p>{text}</p>
      <Link to="/activity_manage/approval" search={{ state }} onClick={onLeave}>
        {link}
      </Link>
    </li>
  );
  return (
    <>
      {news.waiting > 0 &&
        line(t("waiting_for_you", { count: news.waiting }), "waiting", t("open"))}
      {news.decided.map((one) => {
        const text = words(one);
        return text === null ? null : line(text, one.state, t("ui:details"));
      })}
    </>
  );
}
