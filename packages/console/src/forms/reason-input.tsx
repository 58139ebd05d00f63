import { useQuery } from "@tanstack/react-query";
import { Input } from "antd";
import type { InputProps, InputRef } from "antd";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { REASON_LENGTH_MAX } from "@red/contract/platform/limits";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { useDebounced } from "#lib/debounced.ts";
import { queryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";

const PAUSE_MS = 500;

/**
 * Text field for a reason or note. It lists the players whose names the text contains, because such names are stored by
 * reference (behaviour §3).
 */
export function ReasonInput(props: InputProps & { ref?: Ref<InputRef> }) {
  const { t } = useTranslation(["ui", "contract"]);
  const mayRead = useMay("player.read");
  const text = String(props.value ?? "").trim();
  const settled = useDebounced(text, PAUSE_MS);
  const { data } = useQuery({
    ...queryOf(playerViewRoutes.named, { body: { text: settled } }, { background: true }),
    enabled: mayRead && settled !== "" && settled === text,
  });
  const { user_names = [] } = settled === text ? (data ?? {}) : {};
  return (
    <>
      <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" {...props} />
      <span className="k-note" role="status">
        {user_names.length > 0 &&
          t("names_players", { names: user_names.join(t("contract:list_join")) })}
      </span>
    </>
  );
}
