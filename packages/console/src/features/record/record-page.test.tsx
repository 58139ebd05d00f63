import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { recordRoutes } from "@red/contract/record";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { RecordPage } from "./record-page.tsx";

it("counts the states again whenever the list is read", async () => {
  await signIn("record.read");
  serve(recordRoutes.list, { content: [], total: 0, sums: [] });
  const state = { payout_state: "paid", count: 3, amount: "9.00" } as const;
  const counted = serve(recordRoutes.states, { content: [state], total: 1 });
  renderApp(<RecordPage />);
  await screen.findByText("9.00");
  fireEvent.click(screen.getByRole("button", { name: "刷新" }));
  await expect.poll(() => counted.length).toBe(2);
});
