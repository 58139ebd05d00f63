import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { watchFaults } from "#lib/faults.ts";
import { renderApp } from "#test/app.tsx";
import { signIn } from "#test/server.ts";
import { ErrorLogButton } from "./error-log.tsx";

it("counts the faults of the page, lists and clears them", async () => {
  await signIn();
  watchFaults();
  renderApp(<ErrorLogButton />);
  expect(screen.queryByRole("button")).toBeNull();
  act(() => {
    window.dispatchEvent(new ErrorEvent("error", { error: new TypeError("a planted fault") }));
    const reason = new Error("a planted rejection");
    window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason }));
  });
  fireEvent.click(await screen.findByRole("button", { name: "错误日志：2 条" }));
  const log = await screen.findByRole("dialog", { name: "错误日志" });
  const fault = within(log).getAllByRole("listitem").at(-1);
  expect(fault?.textContent).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dTypeError: a planted fault/u);
  expect(fault?.textContent).toContain(window.location.href);
  expect(fault?.querySelector("details pre")?.textContent).toContain(
    "TypeError: a planted fault\n",
  );
  fireEvent.click(within(log).getByRole("button", { name: "全部清除" }));
  await screen.findAllByText("清除 2 条错误记录？");
  const [, agree] = screen.getAllByRole("button", { name: "全部清除" });
  fireEvent.click(agree ?? log);
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
});
