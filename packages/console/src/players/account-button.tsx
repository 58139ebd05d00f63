import { useTranslation } from "react-i18next";
import { HIDDEN } from "@red/contract/platform/money";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import type { Column } from "#ui/list-table.ts";

interface AccountButtonProps {
  name: string;
  /** The round that the player view explains first. */
  rounds_id?: number | undefined;
  text?: string;
}

export function AccountButton({ name, rounds_id, text = name }: AccountButtonProps) {
  const { t } = useTranslation("ui");
  const mayRead = useMay("player.read");
  const change = usePageChange(SHELL_SEARCH);
  // The player view cannot find a masked account.
  if (!mayRead || name.includes(HIDDEN)) {
    return <>{text}</>;
  }
  return (
    <button
      type="button"
      className="k-link"
      aria-haspopup="dialog"
      aria-label={text === name ? t("view_player", { name }) : undefined}
      onClick={() =>
        change({ player: name, player_tab: undefined, player_round: rounds_id?.toString() })
      }
    >
      {text}
    </button>
  );
}

/** Column for the account, which is the header of its row. */
export function accountColumn(
  title: string,
  width: number,
): Column<{ readonly user_name: string }> {
  const render = ({ user_name }: { user_name: string }) => <AccountButton name={user_name} />;
  return { key: "user_name", title, width, rowHeader: true, render };
}
