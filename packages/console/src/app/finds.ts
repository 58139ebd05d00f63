/** What the finder lists for a text, and the address that each entry opens. */
import { useRouter } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Found } from "@red/contract/find";
import type { Permission } from "@red/contract/permissions";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useUser } from "#lib/session.ts";
import type { FindTextKey, PageTitleKey } from "./app-texts.ts";
import { useMenu } from "./menu.ts";

export interface Find {
  /** Heading that it stands under. */
  readonly group: FindTextKey;
  readonly name: string;
  readonly note: string;
  /** Unique among all. */
  readonly key: string;
  /** The text is its whole name or number. */
  readonly isExact: boolean;
  readonly open: () => void;
}

interface Act {
  readonly title: FindTextKey;
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
  readonly permission: Permission;
}

const MANAGE = "/activity_manage";

/** Dialogs that an address opens. */
const ACTS: readonly Act[] = [
  {
    title: "act_new_round",
    path: `${MANAGE}/config`,
    search: { new: "1" },
    permission: "activity.write",
  },
  {
    title: "act_new_prize",
    path: `${MANAGE}/prize`,
    search: { new: "1" },
    permission: "pool.write",
  },
  {
    title: "act_import_prizes",
    path: `${MANAGE}/prize`,
    search: { import: "1" },
    permission: "pool.write",
  },
  {
    title: "act_grant",
    path: `${MANAGE}/add_num`,
    search: { grant: "1" },
    permission: "player.grant",
  },
  {
    title: "act_exclude",
    path: `${MANAGE}/exclusion`,
    search: { new: "1" },
    permission: "player.exclude",
  },
];

function isSame(text: string, ...names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase() === text.toLowerCase());
}

type Open = (path: string, search?: Readonly<Record<string, string>>) => () => void;

function rowsOf(
  text: string,
  found: Found,
  t: TFunction<"app">,
  open: Open,
  openPlayer: (name: string) => void,
): Find[] {
  const { players, records, orders, rounds, pools, prizes } = found;
  return [
    ...records.map(({ trans_sn, user_name, award_name }): Find => ({
      group: "find_records",
      key: `record ${trans_sn}`,
      name: trans_sn,
      note: `${user_name} · ${award_name}`,
      isExact: true,
      open: open(`${MANAGE}/distribution`, { trans_sn }),
    })),
    ...orders.map(({ kind, number, user_name, created_at }): Find => ({
      group: "find_orders",
      key: `${kind} ${number} ${created_at}`,
      name: number,
      note: `${t(kind === "deposit" ? "find_deposit" : "find_bet")} · ${user_name} · ${created_at}`,
      isExact: true,
      // Its list has no filter by number: account and second lead to the row.
      open: open(`${MANAGE}/deposit_bet`, {
        tab: kind === "deposit" ? "0" : "1",
        user_name,
        start_time: created_at,
        end_time: created_at,
      }),
    })),
    ...players.map(({ user_name, player_id, blocked }): Find => ({
      group: "find_players",
      key: `player ${user_name}`,
      name: user_name,
      note: blocked ? `${player_id} · ${t("find_player_blocked")}` : player_id,
      isExact: isSame(text, user_name, player_id),
      open: () => openPlayer(user_name),
    })),
    ...rounds.map(({ id, rounds_name, start_date }): Find => ({
      group: "find_rounds",
      key: `round ${id}`,
      name: rounds_name,
      note: `${id} · ${start_date}`,
      isExact: isSame(text, rounds_name, String(id)),
      open: open(`${MANAGE}/config`, { start_date, rounds_name }),
    })),
    ...pools.map(({ id, pool_name }): Find => ({
      group: "find_pools",
      key: `pool ${id}`,
      name: pool_name,
      note: "",
      isExact: isSame(text, pool_name),
      open: open(`${MANAGE}/prize`, { pool: String(id) }),
    })),
    ...prizes.map(({ pool_id, pool_name, award_name }): Find => ({
      group: "find_prizes",
      key: `prize ${pool_id} ${award_name}`,
      name: award_name,
      note: pool_name,
      isExact: isSame(text, award_name),
      open: open(`${MANAGE}/prize`, { pool: String(pool_id) }),
    })),
  ];
}

/** Lists what was found for a text, then the pages and acts whose title holds it in either language. */
export function useFinds(): (text: string, found: Found | undefined) => Find[] {
  const { t } = useTranslation("app");
  const router = useRouter();
  const { permissions } = useUser();
  const change = usePageChange(SHELL_SEARCH);
  const pages = useMenu().flatMap(({ items }) => items);
  const open: Open =
    (path, search = {}) =>
    () =>
      void router.navigate({ to: path, search });
  const openPlayer = (player: string) =>
    change({ player, player_tab: undefined, player_round: undefined });
  const titled = (text: string, title: FindTextKey | PageTitleKey) => {
    const names = [t(title, { lng: "zh" }), t(title, { lng: "en" })];
    const holds = names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
    return holds ? [{ name: t(title), note: "", isExact: isSame(text, ...names) }] : [];
  };
  return (text, found) => [
    ...(found === undefined ? [] : rowsOf(text, found, t, open, openPlayer)),
    ...pages.flatMap(({ path, title }) =>
      titled(text, title).map((one): Find => ({
        ...one,
        group: "find_pages",
        key: path,
        open: open(path),
      })),
    ),
    ...ACTS.filter(({ permission }) => permissions.includes(permission)).flatMap(
      ({ title, path, search }) =>
        titled(text, title).map((one): Find => ({
          ...one,
          group: "find_acts",
          key: title,
          open: open(path, search),
        })),
    ),
  ];
}

/** The one that Enter opens before the list is shown: the only exact one, or the only one found. */
export function findFor(finds: readonly Find[]): Find | null {
  const exact = finds.filter(({ isExact }) => isExact);
  const [one, ...more] = exact.length > 0 ? exact : finds;
  return one !== undefined && more.length === 0 ? one : null;
}
