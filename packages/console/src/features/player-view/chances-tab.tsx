/** Why a player has this number of draws in a round (behaviour §4). */
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { Explanation } from "@red/contract/explanation";
import { playerViewRoutes } from "@red/contract/player-view";
import type { PlayerHead } from "@red/contract/player-view";
import { queryOf } from "#lib/query.ts";
import { SHELL_SEARCH, usePageSearch } from "#lib/search.ts";
import { grouped } from "#ui/format.ts";
import { ExplainedRows } from "./explained-rows.tsx";
import { ExplainedUses } from "./explained-uses.tsx";
import { RoundSelect } from "./round-select.tsx";
import { canDraw, useStandingText } from "./standing-text.ts";

function Figures({ told }: { told: Explanation }) {
  const { t } = useTranslation("player_view");
  const figures = [
    ["earned", told.earned],
    ["extra_unused", told.extra_unused],
    ["extra_used", told.extra_used_here],
    ["total", told.total],
    ["already", told.already],
    ["remain", told.remain],
  ] as const;
  return (
    <dl className="p-figures" aria-label={t("figures")}>
      {figures.map(([key, count]) => (
        <div key={key} className={`p-figure-${key}`}>
          <dt>{t(key)}</dt>
          <dd className="k-num">{grouped(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Told({ told, head }: { told: Explanation; head: PlayerHead }) {
  const text = useStandingText();
  return (
    <>
      <p className={canDraw(told) ? "p-lead p-lead-good" : "p-lead"}>
        {text(told, head.blocked_since)}
      </p>
      <p className="k-note">{told.rule_text}</p>
      <Figures told={told} />
      <ExplainedRows told={told} />
      <ExplainedUses told={told} />
    </>
  );
}

/** The round in the address, else the first one listed at the top. */
function useRound(head: PlayerHead): number | null {
  const [{ player_round = "" }] = usePageSearch(SHELL_SEARCH);
  const named = Number(player_round);
  return Number.isSafeInteger(named) && named > 0 ? named : (head.rounds[0]?.rounds_id ?? null);
}

export function ChancesTab({ head }: { head: PlayerHead }) {
  const { t } = useTranslation(["player_view", "ui"]);
  const [, change] = usePageSearch(SHELL_SEARCH);
  const rounds_id = useRound(head);
  const { user_name } = head;
  const query = useQuery({
    ...queryOf(playerViewRoutes.explain, { body: { user_name, rounds_id: rounds_id ?? 0 } }),
    enabled: rounds_id !== null,
  });
  const told = query.data ?? null;
  return (
    <div className="p-chances">
      <RoundSelect
        head={head}
        chosen={told === null ? null : { id: told.rounds_id, ...told }}
        onChoose={(id) => change({ player_round: String(id) }, { replace: true })}
      />
      {query.isFetching && told === null && (
        <p role="status" aria-busy="true">
          {t("ui:loading")}
        </p>
      )}
      {query.isError && (
        <p role="alert">
          {t("ui:load_failed")}{" "}
          <Button size="small" onClick={() => void query.refetch()}>
            {t("ui:retry")}
          </Button>
        </p>
      )}
      {told !== null && <Told told={told} head={head} />}
    </div>
  );
}
