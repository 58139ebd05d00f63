import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderApp } from "#test/app.tsx";
import {
  isSameSearch,
  pagingOf,
  parseSearch,
  searchOf,
  searchOfPaging,
  stringifySearch,
  usePageChange,
  usePageSearch,
  withoutShell,
} from "./search.ts";

it("reads every value of an address as a text, and writes it back unchanged", () => {
  const search = { user_name: "007", rounds_id: "41", name: "周末 红包&A=1", page: "2" };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

it("leaves out what is empty", () => {
  expect(stringifySearch({ a: "", b: undefined, c: null, d: "x" })).toBe("?d=x");
  expect(stringifySearch({ a: undefined })).toBe("");
});

it("keeps only the page's fields", () => {
  const validate = searchOf(["page", "tag"]);
  expect(validate({ page: "2", tag: "", other: "x" })).toEqual({ page: "2" });
});

it.each([{}, { page: "0", size: "21" }, { page: "1.5", size: "x" }, { page: "-1" }])(
  "reads page 1 of the default size from %o",
  (search) => {
    expect(pagingOf(search)).toEqual({ page: 1, size: 20 });
  },
);

it("keeps the defaults of paging out of the address", () => {
  expect(searchOfPaging({ page: 1, size: 20 })).toEqual({ page: undefined, size: undefined });
  expect(pagingOf(parseSearch(stringifySearch(searchOfPaging({ page: 3, size: 50 }))))).toEqual({
    page: 3,
    size: 50,
  });
});

it("recognises a search that changes nothing", () => {
  expect(isSameSearch({ tag: "weekend" }, { tag: "weekend", page: undefined })).toBe(true);
  expect(isSameSearch({ tag: "weekend", page: "2" }, { tag: "weekend", page: undefined })).toBe(
    false,
  );
});

it("separates the player view from the page's own fields", () => {
  const search = { user_name: "a", player: "b", player_tab: "bets", player_round: "4" };
  expect(withoutShell(search)).toEqual({ user_name: "a" });
});

it("renders components that read a field when it changes, not those that only change it", async () => {
  const dialog = searchOf(["edit"]);
  const rendered = vi.fn<() => void>();
  function List() {
    const change = usePageChange(dialog);
    rendered();
    return <button onClick={() => change({ edit: "7" })}>Edit</button>;
  }
  function Dialog() {
    const [{ edit = "none" }] = usePageSearch(dialog);
    return <p>{edit}</p>;
  }
  renderApp(
    <>
      <List />
      <Dialog />
    </>,
  );
  await act(async () => screen.getByRole("button").click());
  await screen.findByText("7");
  expect(rendered).toHaveBeenCalledTimes(1);
});
