import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderApp } from "#test/app.tsx";
import { searchOf, usePageChange, usePageSearch } from "./search.ts";

const DIALOG = searchOf(["edit"]);

it("renders what reads a field when it changes, and not what only changes it", async () => {
  const rendered = vi.fn<() => void>();
  function List() {
    const change = usePageChange(DIALOG);
    rendered();
    return <button onClick={() => change({ edit: "7" })}>Edit</button>;
  }
  function Dialog() {
    const [{ edit = "none" }] = usePageSearch(DIALOG);
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
