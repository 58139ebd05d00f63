/** Warns of accounts that recently got an extra time of the chosen group (behaviour §3). */
import { WarningOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { GRANTED_BEFORE_HOURS } from "@red/contract/platform/limits";
import type { Data } from "@red/contract/platform/route";
import { useDebounced } from "#lib/debounced.ts";
import { queryOf } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { Sentence } from "#ui/sentence.tsx";
import "./granted-before.css";

interface GrantedBeforeProps {
  before: Data<typeof extraTimesRoutes.preview>["granted_before"];
  /** Whether the form has one account or a list of accounts. */
  of: "one" | "many";
}

/**
 * This is only a warning, because a second grant may be intended. The element is always rendered, so that screen
 * readers announce the text.
 */
export function GrantedBefore({ before, of }: GrantedBeforeProps) {
  const { t } = useTranslation("extra_times");
  return (
    <div role="status">
      {before !== null && (
        <p className="x-before">
          <WarningOutlined aria-hidden="true" />{" "}
          <Sentence
            text={t(`before_${of}`, {
              accounts: grouped(before.user_names.length),
              hours: GRANTED_BEFORE_HOURS,
              time: before.created_at,
              name: before.granted_by,
            })}
          />
        </p>
      )}
    </div>
  );
}

interface OneGrantedBeforeProps {
  user_name: string;
  tag: string | undefined;
}

/** Loads the warning for one account after a pause in typing. */
export function OneGrantedBefore({ user_name, tag }: OneGrantedBeforeProps) {
  const settled = useDebounced(user_name);
  const isAsked = settled === user_name && user_name !== "" && tag !== undefined;
  const body = { user_names: [settled], tag };
  const { data } = useQuery({
    // A failed call shows nothing, because the grant itself reports the error.
    ...queryOf(extraTimesRoutes.preview, { body }, { background: true }),
    enabled: isAsked,
  });
  return <GrantedBefore before={(isAsked ? data?.granted_before : null) ?? null} of="one" />;
}
