/** Keeps the state of a page in its address as plain texts: `?user_name=player01&page=2`. */
import { PAGE_MAX, PAGE_SIZES, PAGE_SIZE_DEFAULT } from "@red/contract/platform/limits";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useOnPage } from "./use-on-page.ts";

/** Parses the address into text fields. If a field is repeated, the last value is used. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Builds the address from the fields, without empty fields. */
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

/** Returns the known fields that are not empty. */
export type SearchOf<K extends string> = (search: Values) => Search<K>;

/** Declares the fields of an address. The result serves as `validateSearch` of the route and types `usePageSearch`. */
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

/** Like `searchOf`, but for a list: filters, page, size and other fields of the screen. */
export function listSearchOf<const F extends string, const O extends string = never>(
  filters: readonly F[],
  others: readonly O[] = [],
) {
  const all = searchOf([...filters, ...others, "page", "size"]);
  return Object.assign(all, { filter: searchOf(filters), others: searchOf(others) });
}

/** Fields that the address of any page may have: the player view, and the object whose changes are shown. */
export const SHELL_SEARCH = searchOf(["player", "player_tab", "player_round", "changes"]);

/** Fields of the page that says which permission is missing. */
export const NOT_PERMITTED_SEARCH = searchOf(["permission"]);

const PAGE_SEARCH = searchOf(["page", "size"]);

interface Navigation<K extends string> {
  /** Adds no step to the browser's history. */
  replace?: boolean;
  /** Changes the address only if it still has these values. The address may change before a response arrives. */
  where?: Change<K>;
}

/**
 * Returns a function that changes fields in the address of the calling page; undefined removes a field. The function
 * does nothing once the operator has left the page, even if the page was opened again, because responses may arrive
 * late.
 */
function useSearchChange() {
  const navigate = useNavigate();
  const router = useRouter();
  const isOnPage = useOnPage();
  return useCallback(
    (fields: Change<string>, { replace = false, where = {} }: Navigation<string> = {}) => {
      if (!isOnPage() || !isSameSearch(router.latestLocation.search, where)) {
        return;
      }
      void navigate({
        to: ".",
        search: (old: Values) => ({ ...old, ...fields }),
        replace,
        // Does not scroll, because a filter or dialog is not a new page.
        resetScroll: false,
      });
    },
    [navigate, router, isOnPage],
  );
}

/** Returns only the setter of `usePageSearch`, so a change of the fields does not render the caller. */
export function usePageChange<K extends string>(
  _of: SearchOf<K>,
): (change: Change<K>, navigation?: Navigation<K>) => void {
  return useSearchChange();
}

/**
 * Returns the fields of the address and their setter; undefined removes a field. The caller renders only when one of
 * these fields changes.
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

export function withoutShell(search: Values): Values {
  const ofShell = SHELL_SEARCH(search);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !(name in ofShell)));
}

interface Page {
  readonly page: number;
  readonly size: number;
}

/** Returns page and size. Invalid values become 1 and 20 (spec §9). */
export function pagingOf(search: Search<"page" | "size">): Page {
  const page = Number(search.page);
  const size = PAGE_SIZES.find((each) => String(each) === search.size) ?? PAGE_SIZE_DEFAULT;
  return { page: Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1, size };
}

export function searchOfPaging({ page, size }: Page) {
  return {
    page: page === 1 ? undefined : String(page),
    size: size === PAGE_SIZE_DEFAULT ? undefined : String(size),
  };
}

export function isSameSearch(search: Values, change: Change<string>): boolean {
  return Object.entries(change).every(([name, value]) => search[name] === value);
}

/** Returns filter and page of a list. A change of any other field of the address does not render the caller. */
export function useListSearch<F extends string>({ filter: of }: { readonly filter: SearchOf<F> }) {
  const [filter] = usePageSearch(of);
  const [page, setPage] = usePageSearch(PAGE_SEARCH);
  const change = useSearchChange();
  /* Starts at page 1. If the query is unchanged, the rows are loaded again. */
  const query = (values: Change<string>, retry: () => void) => {
    const next = { ...values, page: undefined };
    if (isSameSearch({ ...filter, ...page }, next)) {
      retry();
    } else {
      change(next);
    }
  };
  /* Searches with only the filters of a saved view. */
  const openView = (search: string, retry: () => void) => {
    const cleared = Object.keys(filter).map((name) => [name, undefined]);
    query({ ...Object.fromEntries(cleared), ...parseSearch(search) }, retry);
  };
  return {
    filter,
    filtered: Object.keys(filter).length > 0,
    paging: pagingOf(page),
    /** Searches with the values of a form. Undefined clears a field. */
    query,
    openView,
    reset: (retry: () => void) => openView("", retry),
    /**
     * With `correcting` the new page replaces the current entry in the history, because the operator did not turn the
     * page.
     */
    turn: (next: Page, correcting = false) =>
      setPage(searchOfPaging(next), { replace: correcting }),
    /** Goes to page 1 with the default size, for example after a row was added. */
    startOver: () => setPage({ page: undefined, size: undefined }, { replace: true }),
  };
}
