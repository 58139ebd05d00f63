import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { approvalRoutes } from "@red/contract/approvals/approval";
import { jobRoutes } from "@red/contract/records/job";
import type { Job, JobOutcome } from "@red/contract/records/job";
import type { Role } from "@red/contract/platform/permissions";
import { sessionRoutes } from "@red/contract/identity/session";
import { refresh } from "#lib/query.ts";
import { renderApp } from "#test/app.tsx";
import { OPERATOR } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";
import { Bell } from "./bell.tsx";

const of = (outcome: JobOutcome, count: number) => ({ outcome, count });

const RUNNING: Job = {
  id: 5,
  kind: "reissue",
  total: 20,
  done: 12,
  status: "running",
  outcomes: [of("under_way", 8), of("paid", 12)],
  reasons: [],
  retryable: 0,
  file_name: null,
  fault: null,
  started_at: "2026-11-21 20:00:00",
  ended_at: null,
  seen: false,
};

const ENDED: Job = {
  ...RUNNING,
  done: 20,
  status: "done",
  outcomes: [of("paid", 12), of("refused", 8)],
  reasons: [
    { reason: "account closed", count: 7 },
    { reason: "something new", count: 1 },
  ],
  retryable: 8,
  ended_at: "2026-11-21 20:00:04",
};

const SENTENCE = "20 条已重新发送：12 到账，8 再次被拒（账户已关闭 7、something new 1）";

it("reports a job's outcome when it ends, marks it as seen, and sends the refused payouts again", async () => {
  await signIn("record.read", "record.pay");
  serve(jobRoutes.list, { content: [RUNNING], total: 1, unseen: 0 });
  renderApp(<Bell />);
  fireEvent.click(await screen.findByRole("button", { name: "任务" }));
  await screen.findByText("20 条补发：8 待发送或发放中，12 到账");
  expect(screen.queryByRole("button", { name: /^补发/ })).toBeNull();
  const seen = serve(jobRoutes.seen, { unseen: 0 });
  serve(jobRoutes.list, { content: [ENDED], total: 1, unseen: 1 });
  await act(() => refresh(jobRoutes.list));
  // The list shows the outcome, and no toast covers the list.
  await screen.findByText(SENTENCE);
  await waitFor(() => expect(seen[0]?.body).toEqual({ ids: "5" }));
  const row = { log_id: 1, user_name: "anna", award_name: "红包", award_price: "8.88" } as const;
  const refused = { ...row, trans_sn: "T1", outcome: "refused", reason: "account closed" } as const;
  const asked = serve(jobRoutes.rows, { content: [refused], total: 8 });
  fireEvent.click(screen.getByRole("button", { name: "明细" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("被拒绝：账户已关闭");
  expect(dialog.getByRole("link").getAttribute("href")).toContain("distribution?trans_sn=T1");
  fireEvent.click(dialog.getByRole("checkbox", { name: "只看被拒绝的" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked.map(({ url }) => url.includes("outcome=refused"))).toEqual([true, false]);
  const retried = serve(jobRoutes.retry, { job_id: 6, taken: 8, refused: [] });
  fireEvent.click(dialog.getByRole("button", { name: "补发这 8 条" }));
  await waitFor(() => expect(retried).toHaveLength(1));
});

it("reports a job that it never saw running, but none that had ended before the page opened", async () => {
  await signIn("record.pay");
  const before = { ...ENDED, id: 4, total: 3 };
  serve(jobRoutes.list, { content: [before], total: 1, unseen: 1 });
  renderApp(<Bell />);
  await screen.findByRole("button", { name: "任务，1 个有新结果" });
  serve(jobRoutes.list, { content: [{ ...ENDED, id: 7 }, before], total: 2, unseen: 2 });
  await act(() => refresh(jobRoutes.list));
  await screen.findByText(SENTENCE);
  expect(screen.queryByText(/^3 条已重新发送/)).toBeNull();
  // The bell also reports the start of an export.
  serve(jobRoutes.list, { content: [{ ...RUNNING, id: 8, kind: "export" }], total: 1, unseen: 0 });
  await act(() => refresh(jobRoutes.list));
  await screen.findByText("正在生成文件，已写 12 行；完成后可在右上角「任务」里下载");
  // After a change of roles, the session is loaded again.
  const hear = async (...roles: Role[]) => {
    serve(approvalRoutes.news, { on: false, waiting: 0, roles, decided: [] });
    await act(() => refresh(approvalRoutes.news));
  };
  await hear("admin");
  const asked = serve(sessionRoutes.userInfo, OPERATOR);
  await hear("viewer");
  await waitFor(() => expect(asked).toHaveLength(1));
});
