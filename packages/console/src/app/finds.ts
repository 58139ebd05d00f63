/** The entries that the finder lists for a text, and the address that each entry opens. */
import { useRouter } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { payoutNumber } from "@red/contract/records/find";
import type { Found } from "@red/contract/records/find";
import { HIDDEN } from "@red/contract/platform/money";
import { currentLanguage } from "#lib/language.ts";
import { notify } from "#lib/notices.ts";
import type { Page, PageAct } from "#lib/page.ts";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useUser } from "#lib/session.ts";
import { useStops } from "#stops/stops.ts";
import type { FindTextKey } from "./app-texts.ts";
import { useMenu } from "./menu.ts";
import { PAGES } from "./pages.ts";

export interface Find {
  /** Heading above the entry in the list. */
  readonly group: FindTextKey;
  readonly name: string;
  readonly note: string;
  /** Unique key among all entries. */
  readonly key: string;
  /** Whether the typed text is the whole name or number of the entry, not only a part. */
  readonly isExact: boolean;
  readonly open: () => void;
}

const MANAGE = "/activity_manage";

const STOP: PageAct = {
  title: ["全部暂停", "Stop everything"],
  words: "停止 pause",
  permission: "stop.use",
};

function isSame(text: string, ...names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase() === text.toLowerCase());
}

const isMasked = (name: string) => name.includes(HIDDEN);

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
      isExact: trans_sn === payoutNumber(text),
      open: open(`${MANAGE}/distribution`, { trans_sn }),
    })),
    ...orders.map(({ kind, number, user_name, created_at }): Find => ({
      group: "find_orders",
      key: `${kind} ${number} ${created_at}`,
      name: number,
      note: `${t(kind === "deposit" ? "find_deposit" : "find_bet")} · ${user_name} · ${created_at}`,
      isExact: true,
      // The list of orders has no filter by number. The account (unless masked) and the exact second find the row.
      open: open(`${MANAGE}/deposit_bet`, {
        tab: kind === "deposit" ? "0" : "1",
        ...(!isMasked(user_name) && { user_name }),
        start_time: created_at,
        end_time: created_at,
      }),
    })),
    ...players.map(({ user_name, player_id, blocked }): Find => ({
      group: "find_players",
      key: `player ${user_name}`,
      name: user_name,
      note: blocked ? `${player_id} · ${t("find_player_blocked")}` : player_id,
      isExact: isMasked(user_name) || isSame(text, user_name, player_id),
      // The server finds a masked player only by the whole account, so the typed text is the account.
      open: () => openPlayer(isMasked(user_name) ? text : user_name),
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

/** Lists the results for a text, then the pages and acts whose title contains the text in either language. */
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
  const stopped = new Set((useStops() ?? []).map(({ name }) => name));
  const isStopped = stopped.has("draws") && stopped.has("payouts");
  const ofPages = PAGES.managed.flatMap(({ path, acts = [] }: Page) =>
    acts.map((act) => ({ act, start: open(`${MANAGE}${path}`, act.search) })),
  );
  const stop = { act: STOP, start: () => notify({ kind: "stop" }) };
  const acts = (isStopped ? ofPages : [stop, ...ofPages]).filter(({ act }) =>
    permissions.includes(act.permission),
  );
  const titled = (text: string, names: readonly [zh: string, en: string], words = "") => {
    const holds = [...names, words].some((name) => name.toLowerCase().includes(text.toLowerCase()));
    const name = names[currentLanguage() === "zh" ? 0 : 1];
    return holds ? [{ name, note: "", isExact: isSame(text, ...names) }] : [];
  };
  return (text, found) => [
    ...(found === undefined ? [] : rowsOf(text, found, t, open, openPlayer)),
    ...pages.flatMap(({ path, title }) =>
      titled(text, [t(title, { lng: "zh" }), t(title, { lng: "en" })]).map((one): Find => ({
        ...one,
        group: "find_pages",
        key: path,
        open: open(path),
      })),
    ),
    ...acts.flatMap(({ act: { title, words }, start }) =>
      titled(text, title, words).map((one): Find => ({
        ...one,
        group: "find_acts",
        key: title[0],
        open: start,
      })),
    ),
  ];
}

/**
 * Returns the entry that Enter opens before the list is shown: the only exact match, or the only entry. Null otherwise.
 */
export function findFor(finds: readonly Find[]): Find | null {
  const exact = finds.filter(({ isExact }) => isExact);
  const [one, ...more] = exact.length > 0 ? exact : finds;
  return one !== undefined && more.length === 0 ? one : null;
}
