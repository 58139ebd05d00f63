import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { EXTRA_TIMES_PER_CALL_MAX, GRANTED_BEFORE_HOURS } from "@red/contract/platform/limits";
import { AccountNames } from "./account-names.tsx";
import { GrantedBefore } from "./granted-before.tsx";
import { grouped } from "#ui/format.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { Data } from "@red/contract/platform/route";
import { call } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { accountsOf, listOf } from "./accounts.ts";

type Preview = Data<typeof extraTimesRoutes.preview>;

/**
 * Loads the preview after a pause in typing, and when the operator chooses a group. The counts do not depend on the
 * group, so they stay while the warnings of a new group load.
 */
export function useGrantCheck(text: string, tag: string | undefined) {
  const settled = useDebounced(text);
  const lines = useMemo(() => accountsOf(text), [text]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [extraTimesRoutes.preview.path, settled, tag],
    queryFn: async ({ signal }) => {
      const body = { ...listOf(accountsOf(settled)), tag };
      // The dialog itself shows the error.
      return await call(extraTimesRoutes.preview, { body }, { signal, background: true });
    },
    placeholderData: (last: Preview | undefined, of) =>
      last === undefined || of?.queryKey[1] !== settled
        ? undefined
        : { ...last, granted_before: null },
    enabled: settled === text && lines.length > 0 && lines.length <= EXTRA_TIMES_PER_CALL_MAX,
  });
  const isOfList = settled === text && lines.length > 0;
  const isCurrent = isOfList && !isFetching;
  return {
    /** Number of entries in the list, including repeated entries. */
    entries: lines.length,
    /** Number of entries that have their own expiry. */
    own: lines.filter(({ expire_time }) => expire_time !== null).length,
    /** The effect of a grant now. Undefined until the server responds. */
    preview: isCurrent || (isOfList && isPlaceholderData) ? data : undefined,
    /** True if the preview belongs to the chosen group. Until then the operator cannot grant. */
    isComplete: isCurrent && data !== undefined,
    error: isCurrent ? error : null,
    retry: () => void refetch(),
  };
}

export type GrantCheck = ReturnType<typeof useGrantCheck>;

const LEFT_OUT = ["unknown", "doubled", "expired", "blocked", "excluded"] as const;

/** Lists the accounts that get no extra time and the repeated accounts, grouped by reason. */
export function LeftOut(left: Pick<Preview, (typeof LEFT_OUT)[number]>) {
  const { t } = useTranslation("extra_times");
  return LEFT_OUT.map((why) => (
    <AccountNames
      key={why}
      title={t(`${why}_accounts`, { count: left[why].length })}
      names={left[why]}
    />
  ));
}

function useWords({ entries, own, preview, error }: GrantCheck): string {
  const { t } = useTranslation("extra_times");
  if (entries === 0) {
    return t("grant_none");
  }
  if (entries > EXTRA_TIMES_PER_CALL_MAX) {
    return t("grant_too_many", { max: grouped(EXTRA_TIMES_PER_CALL_MAX) });
  }
  if (preview === undefined) {
    return error === null ? t("grant_checking", { count: entries, entries: grouped(entries) }) : "";
  }
  const count = t("grant_count", { entries: grouped(entries), times: grouped(preview.granted) });
  return own === 0 ? count : `${count} · ${t("grant_own", { entries: grouped(own) })}`;
}

export function Checked(check: GrantCheck) {
  const { t } = useTranslation(["extra_times", "ui"]);
  const { preview, error, retry } = check;
  const words = useWords(check);
  const before = preview?.granted_before ?? null;
  return (
    <div className="x-checked">
      <p className="k-note" role="status">
        {words}
      </p>
      <GrantedBefore before={before} of="many" />
      {error !== null && (
        <Alert
          type="error"
          showIcon
          title={error.message}
          action={
            <Button size="small" onClick={retry}>
              {t("ui:retry")}
            </Button>
          }
        />
      )}
      {before !== null && (
        <AccountNames
          title={t("before_accounts", {
            hours: GRANTED_BEFORE_HOURS,
            count: before.user_names.length,
          })}
          names={before.user_names}
        />
      )}
      {preview !== undefined && <LeftOut {...preview} />}
    </div>
  );
}
