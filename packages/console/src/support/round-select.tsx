/** Selects the round to explain. Current rounds come first, and the operator finds other rounds by typing a name. */
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { ListedActivity } from "@red/contract/rounds/activity";
import type { PlayerHead } from "@red/contract/chances/player-view";
import { useDebounced } from "#lib/debounced.ts";
import { listQueryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";

type Named = Pick<ListedActivity, "id" | "rounds_name" | "start_time">;

interface RoundSelectProps {
  head: PlayerHead;
  rounds_id: number | null;
  /** The chosen round, once its explanation has loaded. The list may not contain this round. */
  explained: Named | undefined;
  onChoose: (rounds_id: number) => void;
}

function useFound(typed: string): readonly Named[] {
  const mayRead = useMay("activity.read");
  const rounds_name = useDebounced(typed.trim());
  const { data } = useQuery({
    ...listQueryOf(activityRoutes.list, {
      query: { rounds_name: rounds_name === "" ? undefined : rounds_name, page: 1, size: 20 },
    }),
    enabled: mayRead,
  });
  return data?.content ?? [];
}

export function RoundSelect({ head, rounds_id, explained, onChoose }: RoundSelectProps) {
  const { t } = useTranslation("player_view");
  const [typed, setTyped] = useState("");
  const matches = useFound(typed);
  const present = head.rounds.map((round) => ({ ...round, id: round.rounds_id }));
  // While the operator types a name, offer only the matches.
  const first: readonly Named[] = typed === "" ? [...present, explained ?? []].flat() : [];
  const rounds = new Map([...first, ...matches].map((round) => [round.id, round]));
  return (
    <label className="p-round">
      <span>{t("round")}</span>
      <Select
        value={rounds_id}
        placeholder={t("choose_round")}
        showSearch={{ filterOption: false, onSearch: setTyped }}
        onChange={(id) => {
          if (id !== null) {
            setTyped("");
            onChoose(id);
          }
        }}
        options={[...rounds.values()].map(({ id, rounds_name, start_time }) => ({
          value: id,
          label: t("round_label", { name: rounds_name, start: start_time.slice(0, 16) }),
        }))}
      />
    </label>
  );
}
