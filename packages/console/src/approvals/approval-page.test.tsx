import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { activityRoutes } from "@red/contract/rounds/activity";
import { approvalRoutes } from "@red/contract/approvals/approval";
import type { Approval } from "@red/contract/approvals/approval";
import { renderApp } from "#test/app.tsx";
import { needing, serve, signIn } from "#test/server.ts";
import { ApprovalPage } from "./approval-page.tsx";

const stock = { action: "add_stock", object_type: "prize", object_id: "3", object_name: "小红包" };
const WAITING: Approval = {
  id: 8,
  state: "waiting",
  made_kind: "operator",
  made_by: "小李",
  made_at: "2026-11-20 20:00:00",
  expires_at: "2026-11-21 20:00:00",
  reason: "加量",
  risk: "20309.00",
  risked: "9000.00",
  plan: [{ ...stock, before: { award_total: 10 }, after: { award_total: 30 }, about: null }],
  decided_by: null,
  decided_at: null,
  note: null,
  barred: null,
};
const FREE: Approval = { ...WAITING, id: 9, risk: "0.00", risked: "0.00" };

const MOST = "到结束最多多支出约 20,309.00";
const RISKED = "此人 24 小时内另有 9,000.00";

it("shows in the row and in the question what a change may cost, and its maker's other risks", async () => {
  await signIn();
  serve(activityRoutes.tags, { tags: {} });
  serve(approvalRoutes.list, { content: [WAITING, FREE], total: 2 });
  serve(approvalRoutes.approve, () => needing({ code_above: null, risk: "0.00" }));
  renderApp(<ApprovalPage />);
  for (const button of await screen.findAllByRole("button", { name: /^展开/ })) {
    fireEvent.click(button);
  }
  expect(await screen.findAllByText("奖品总数 10 → 30")).toHaveLength(2);
  expect(screen.getAllByText(MOST)).toHaveLength(1);
  expect(screen.getAllByText(RISKED)).toHaveLength(1);
  fireEvent.click(screen.getByRole("button", { name: /^通过 #8/ }));
  const asked = within(await screen.findByRole("dialog"));
  asked.getByText(MOST);
  asked.getByText(RISKED);
  expect(asked.queryByText(/合计/)).toBeNull();
});

it("adds up the costs of changes approved together", async () => {
  const more = { ...WAITING, id: 10 };
  serve(approvalRoutes.list, { content: [WAITING, FREE, more], total: 3 });
  renderApp(<ApprovalPage />);
  fireEvent.click(await screen.findByRole("checkbox", { name: "全选本页" }));
  fireEvent.click(screen.getByRole("button", { name: "审批" }));
  const asked = within(await screen.findByRole("dialog"));
  expect(asked.getByText(/^由 小李 提交/).textContent).toMatch(
    /合计到结束最多多支出约 40,618\.00。$/,
  );
  expect(asked.getAllByText(MOST)).toHaveLength(2);
});
