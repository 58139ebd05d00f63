/**
 * The state of a page lives in its address: filters, page, tab, open dialog. Values are plain texts
 * there (`?user_name=player01&page=2`), so that an address can be read, shared and typed.
 */
import { PAGE_MAX, PAGE_SIZES, PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import { useLocation, useMatch, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useStillHere } from "./still-here.ts";

/** What a page's address carries beside the page's own fields: the player that is looked at. */
const SHELL_FIELDS = ["player", "player_tab", "player_round"] as const;
type ShellField = (typeof SHELL_FIELDS)[number];

export type Search<K extends string> = Partial<Record<K, string>>;

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

/** Keeps the named fields of an address and drops everything else. */
export function searchOf<const K extends string>(names: readonly K[]) {
  return (search: Readonly<Record<string, unknown>>): Search<K> => {
    const kept: Search<K> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") {
        kept[name] = value;
      }
    }
    return kept;
  };
}

interface Navigation<K extends string> {
  /** Going back shall not step through this change. */
  replace?: boolean;
  /** Only while the address still says this: by the time of an answer it may name something else. */
  where?: Change<K>;
}

type Change<K extends string> = { readonly [P in K]?: string | undefined };

/**
 * Changes some fields of the address of the page that calls it (undefined drops a field). Once that page is
 * left it does nothing, also when the same page has been opened anew: an answer may come late.
 */
export function useSearchChange<K extends string>() {
  const navigate = useNavigate();
  const router = useRouter();
  // Of the shell this is the root, with which every page's path begins.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const isStillHere = useStillHere();
  return useCallback(
    (fields: Change<K>, { replace = false, where = {} }: Navigation<K> = {}) => {
      // A page is there until the next one has come, whose address holds already.
      const { pathname, search: now } = router.latestLocation;
      if (!isStillHere() || !pathname.startsWith(path) || !isSameSearch(now, where)) {
        return;
      }
      void navigate({
        to: ".",
        search: (old: Readonly<Record<string, unknown>>) => ({ ...old, ...fields }),
        replace,
        // A filter or a dialog is no other page: what is in view stays in view.
        resetScroll: false,
      });
    },
    [navigate, router, path, isStillHere],
  );
}

/** The fields of an address that are the page's own. */
export function withoutShell(search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names: readonly string[] = SHELL_FIELDS;
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)));
}

/**
 * The address of the page that is open, and the way to change some of its fields (undefined drops
 * a field). The route's `validateSearch` made by `searchOf` is what holds the type. With `names`, what
 * calls it is drawn anew only when one of these fields changes.
 */
export function usePageSearch<K extends string>(
  names?: readonly K[],
): [Search<K>, (change: Change<K>, navigation?: Navigation<K>) => void] {
  // Every value of an address is a text (parseSearch); the fields are those that the caller names.
  const own: Search<string> = useLocation({
    select: ({ search }): Search<string> =>
      names === undefined ? (withoutShell(search) as Search<string>) : searchOf(names)(search),
    structuralSharing: true,
  });
  return [own as Search<K>, useSearchChange<K>()];
}

/** The fields that any page may carry for the shell, and the way to change them. */
export function useShellSearch(): [
  Search<ShellField>,
  (change: Change<ShellField>, navigation?: Navigation<ShellField>) => void,
] {
  const own = useLocation({
    select: ({ search }) => searchOf(SHELL_FIELDS)(search),
    structuralSharing: true,
  });
  return [own, useSearchChange<ShellField>()];
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
export function isSameSearch(
  search: Readonly<Record<string, string | undefined>>,
  change: Readonly<Record<string, string | undefined>>,
): boolean {
  return Object.entries(change).every(([name, value]) => search[name] === value);
}

/** Page and size, as a pager has them. */
interface Page {
  readonly page: number;
  readonly size: number;
}

/**
 * The address of a list: what it is asked for (`filters`), its page, and whatever else the screen keeps
 * there (`others`). `filters` must be the same array at every call. What else stands in the address
 * does not have the list drawn anew.
 */
export function useListSearch<const F extends string, const Other extends string = never>(
  filters: readonly F[],
  others: readonly Other[] = [],
) {
  type Field = F | Other | keyof Page;
  const [search, setSearch] = usePageSearch<Field>([...filters, ...others, "page", "size"]);
  // `searchOf` keeps texts of the named fields only.
  const filter = useMemo(
    () => searchOf(filters)(search as Readonly<Record<string, unknown>>),
    [filters, search],
  );
  /* Asks from page 1 on; the same question again is a wish for fresh rows. */
  const ask = (values: Change<string>, again: () => void) => {
    const change = { ...values, page: undefined };
    if (isSameSearch(search as Change<string>, change)) {
      again();
    } else {
      // A form's values go by the names of its fields, which are those of the filters.
      setSearch(change as Change<Field>);
    }
  };
  const none = Object.fromEntries(filters.map((name) => [name, undefined]));
  return {
    search,
    setSearch,
    filter,
    filtered: Object.keys(filter).length > 0,
    paging: pagingOf(search as Search<keyof Page>),
    ask,
    /** Asks for everything. */
    reset: (again: () => void) => ask(none, again),
    /** `correcting`: not the operator's step, so going back must not lead to it. */
    turn: (next: Page, correcting = false) =>
      setSearch(searchOfPaging(next) as Change<Field>, { replace: correcting }),
  };
}
