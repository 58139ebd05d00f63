import { useTranslation } from "react-i18next";
import type { Audited } from "@red/contract/evidence/audit";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import type { RowAction } from "#ui/row-actions.tsx";

/** Returns the action that opens the change history of an object (behaviour §9). Empty without the permission. */
export function useChangesEntry() {
  const { t } = useTranslation("ui");
  const mayRead = useMay("audit.read");
  const change = usePageChange(SHELL_SEARCH);
  return (type: Audited, id: number, name: string): readonly RowAction[] =>
    mayRead
      ? [
          {
            text: t("changes"),
            label: t("changes_label", { name }),
            disabled: false,
            onClick: () => change({ changes: `${type}:${id}` }),
          },
        ]
      : [];
}
