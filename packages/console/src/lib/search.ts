/**
 * The state of a page lives in its address: filters, page, tab, open dialog. Values are plain texts
 * there (`?user_name=player01&page=2`), so that an address can be read, shared and typed.
 */
import { PAGE_MAX, PAGE_SIZES, PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useStillHere } from "./still-here.ts";

/** Address → fields: every value a text, the last of repeated ones. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Fields → address; what is empty is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === "string" && value !== "") {
      params.set(name, value);
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

export type Search<K extends string> = Partial<Record<K, string>>;
type Values = Readonly<Record<string, unknown>>;
type Change<K extends string> = { readonly [P in K]?: string | undefined };

/** Keeps the fields of an address that it was made for, as far as they are filled in, and drops everything else. */
export type SearchOf<K extends string> = (search: Values) => Search<K>;

/**
 * The fields of an address, declared once: what it gives is the `validateSearch` of the route, and what reads
 * and changes the address (`usePageSearch`) has its types from it.
 */
export function searchOf<const K extends string>(names: readonly K[]): SearchOf<K> {
  return (search) => {
    const filled: Search<K> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") {
        filled[name] = value;
      }
    }
    return filled;
  };
}

/** As `searchOf`, for a list: what it is asked for, its page, and what else the screen has in its address. */
export function listSearchOf<const F extends string, const O extends string = never>(
  filters: readonly F[],
  others: readonly O[] = [],
) {
  const all = searchOf([...filters, ...others, "page", "size"]);
  return Object.assign(all, { filter: searchOf(filters), others: searchOf(others) });
}

/** What any page's address may carry beside the page's own fields: the player that is looked at. */
export const SHELL_SEARCH = searchOf(["player", "player_tab", "player_round"]);

/** Of the page that refuses: what one would have to be permitted. */
export const NOT_PERMITTED_SEARCH = searchOf(["permission"]);

const PAGE_SEARCH = searchOf(["page", "size"]);

interface Navigation<K extends string> {
  /** Going back shall not step through this change. */
  replace?: boolean;
  /** Only while the address still says this: by the time of an answer it may name something else. */
  where?: Change<K>;
}

/**
 * Changes some fields of the address of the page that calls it (undefined drops a field). Once that page is
 * left it does nothing, also when the same page has been opened anew: an answer may come late.
 */
function useSearchChange() {
  const navigate = useNavigate();
  const router = useRouter();
  const isStillHere = useStillHere();
  return useCallback(
    (fields: Change<string>, { replace = false, where = {} }: Navigation<string> = {}) => {
      if (!isStillHere() || !isSameSearch(router.latestLocation.search, where)) {
        return;
      }
      void navigate({
        to: ".",
        search: (old: Values) => ({ ...old, ...fields }),
        replace,
        // A filter or a dialog is no other page: what is in view stays in view.
        resetScroll: false,
      });
    },
    [navigate, router, isStillHere],
  );
}

/**
 * Fields of the address that is open, and the way to change them (undefined drops a field). What calls it is
 * rendered again only when one of these fields changes.
 */
export function usePageSearch<K extends string>(
  of: SearchOf<K>,
): [Search<K>, (change: Change<K>, navigation?: Navigation<K>) => void] {
  const search = useLocation({
    select: (location): Search<string> => of(location.search),
    structuralSharing: true,
  });
  return [useMemo(() => of(search), [of, search]), useSearchChange()];
}

/** The fields of an address that are the page's own. */
export function withoutShell(search: Values): Values {
  const ofShell = SHELL_SEARCH(search);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !(name in ofShell)));
}

/** Page and size of an address; anything odd falls back to 1 and 20 (spec §9). */
export function pagingOf(search: { page?: string; size?: string }): { page: number; size: number } {
  const page = Number(search.page);
  const size = PAGE_SIZES.find((each) => String(each) === search.size) ?? PAGE_SIZE_DEFAULT;
  return { page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1, size };
}

/** The other way round: the defaults need not stand in the address. */
export function searchOfPaging({ page, size }: { page: number; size: number }) {
  return {
    page: page === 1 ? undefined : String(page),
    size: size === PAGE_SIZE_DEFAULT ? undefined : String(size),
  };
}

/** Would this change leave the address as it is? */
export function isSameSearch(search: Values, change: Change<string>): boolean {
  return Object.entries(change).every(([name, value]) => search[name] === value);
}

/** Page and size, as a pager has them. */
interface Page {
  readonly page: number;
  readonly size: number;
}

/** What the address asks a list for, and its page. What else stands in the address does not render the list again. */
export function useListSearch<F extends string>({ filter: of }: { readonly filter: SearchOf<F> }) {
  const [filter] = usePageSearch(of);
  const [page, setPage] = usePageSearch(PAGE_SEARCH);
  const change = useSearchChange();
  /* From page 1 on; the same question once more is a wish for fresh rows. */
  const query = (values: Change<string>, retry: () => void) => {
    const next = { ...values, page: undefined };
    if (isSameSearch({ ...filter, ...page }, next)) {
      retry();
    } else {
      change(next);
    }
  };
  return {
    filter,
    filtered: Object.keys(filter).length > 0,
    paging: pagingOf(page),
    /** Asks for what a form says; fields that it leaves empty are undefined. */
    query,
    /** Asks for everything. */
    reset: (retry: () => void) =>
      query(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])), retry),
    /** `correcting`: not the operator's step, so going back must not lead to it. */
    turn: (next: Page, correcting = false) =>
      setPage(searchOfPaging(next), { replace: correcting }),
    /** Leads to page 1 of the usual size, where a change of a row leads. */
    startOver: () => setPage({ page: undefined, size: undefined }, { replace: true }),
  };
}
