/** What starting something makes possible, and what stays stopped (behaviour §5). */
import { useTranslation } from "react-i18next";
import type { Stop } from "@red/contract/stops/stop-switch";
import type { StopTarget } from "./stops.ts";

function stillStopped(target: StopTarget, stops: readonly Stop[]): readonly Stop[] {
  return stops.filter(({ name, pool_id }) => {
    switch (target.name) {
      case "everything":
        return name === "pool";
      case "pool":
        return name !== "pool" || pool_id !== target.id;
      case "draws":
      case "payouts":
        return name !== target.name;
    }
  });
}

/** What starts at once, then what does not: a sentence each. */
export function useStartText(): (target: StopTarget, stops: readonly Stop[]) => readonly string[] {
  const { t } = useTranslation("stop");

  function becomes(target: StopTarget, still: readonly Stop[]): readonly string[] {
    const draws = () =>
      still.some(({ name }) => name === "pool")
        ? t("start_content_draws_but_pools")
        : t("start_content_draws");
    switch (target.name) {
      case "draws":
        return [draws()];
      case "payouts":
        return [t("start_content_payouts")];
      case "everything":
        return [draws(), t("start_content_payouts")];
      case "pool": {
        const waits = still.some(({ name }) => name === "draws");
        const { pool_name: name } = target;
        return [
          waits ? t("start_content_pool_waits", { name }) : t("start_content_pool", { name }),
        ];
      }
    }
  }

  return (target, stops) => {
    const still = stillStopped(target, stops);
    const parts = [...becomes(target, still)];
    if (still.length > 0) {
      const what = still
        .map(({ name, pool_name }) => t(`still_${name}`, { name: pool_name ?? "" }))
        .join(t("still_join"));
      parts.push(t("still", { what }));
    }
    return parts;
  };
}
