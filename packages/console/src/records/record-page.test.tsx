import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { recordRoutes } from "@red/contract/records/record";
import { forgetSession } from "#lib/session.ts";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { RecordPage } from "./record-page.tsx";

it.each([[["record.read"]], [["record.read", "amount.see"]]] as const)(
  "%j offers a search by amount only to those who see amounts",
  async (permissions) => {
    forgetSession();
    await signIn(...permissions);
    serve(recordRoutes.list, { content: [], total: 0, sums: [], states: [] });
    renderApp(<RecordPage />);
    await screen.findByLabelText("流水号");
    expect(screen.queryAllByLabelText("面额")).toHaveLength(permissions.length - 1);
  },
);

it("shows states and totals of the same answer, also after a refresh", async () => {
  await signIn("record.read");
  let count = 3;
  serve(recordRoutes.list, () => {
    const sum = { count, amount: `${count}.00` };
    count += 1;
    return {
      content: [],
      total: count,
      sums: [{ ...sum, award_status: 1 as const, goods: 0 }],
      states: [{ ...sum, payout_state: "paid" as const }],
    };
  });
  renderApp(<RecordPage />);
  const shown = async (amount: string) => await screen.findAllByText(new RegExp(amount));
  expect(await shown("3.00")).toHaveLength(2);
  fireEvent.click(screen.getByRole("button", { name: "刷新" }));
  expect(await shown("4.00")).toHaveLength(2);
});
