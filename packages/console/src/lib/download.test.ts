import { EXPORT_AT_ONCE_MAX, jobRoutes } from "@red/contract/records/job";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { ticketRoutes } from "@red/contract/identity/ticket";
import { beforeEach, expect, it } from "vitest";
import { refusal, serve, signIn } from "#test/server.ts";
import type { Sent } from "#test/server.ts";
import { downloadFile } from "./download.ts";
import { onNotice } from "./notices.ts";

const opened: { href: string; target: string }[] = [];
const notices: string[] = [];
let asked: readonly Sent[];

function follow(event: Event): void {
  const link = event.target;
  if (link instanceof HTMLAnchorElement) {
    event.preventDefault();
    opened.push({ href: link.getAttribute("href") ?? "", target: link.target });
  }
}

beforeEach(() => {
  opened.length = 0;
  notices.length = 0;
  asked = serve(ticketRoutes.create, { ticket: "tk_1+2" });
  document.addEventListener("click", follow);
  const stop = onNotice("error", (text) => notices.push(text));
  return () => {
    stop();
    document.removeEventListener("click", follow);
  };
});

it("requests a ticket for exactly the address that it opens, with values as texts", async () => {
  const query = { rounds_id: 41, user_name: "测试 1", award_name: "", format: "csv" } as const;
  await expect(downloadFile(recordRoutes.exportFile, query)).resolves.toBe(true);
  expect(asked).toEqual([
    {
      url: "/gred/api/ticket",
      body: {
        path: "/gred/api/record/export",
        query: { rounds_id: "41", user_name: "测试 1", format: "csv" },
      },
    },
  ]);
  expect(opened).toHaveLength(1);
  const url = new URL(opened[0]?.href ?? "", "http://console.test");
  expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    "/gred/api/record/export",
    { rounds_id: "41", user_name: "测试 1", format: "csv", token: "tk_1+2" },
  ]);
  expect(document.querySelectorAll("a")).toHaveLength(0);
});

it("opens no new window if the click was too long ago", async () => {
  const query = { pool_name: "周末池" };
  const activate = (isActive: boolean) =>
    Object.defineProperty(navigator, "userActivation", { value: { isActive }, configurable: true });
  activate(true);
  await downloadFile(prizeRoutes.exportFile, query);
  activate(false);
  await downloadFile(prizeRoutes.exportFile, query);
  expect(opened.map(({ target }) => target)).toEqual(["_blank", ""]);
});

it("shows once why the ticket was refused, and opens nothing", async () => {
  serve(ticketRoutes.create, () => refusal(403, "没有权限执行此操作"));
  await expect(downloadFile(prizeRoutes.exportFile, { pool_name: "x" })).resolves.toBe(false);
  expect([notices, opened]).toEqual([["没有权限执行此操作"], []]);
});

it("exports a list with more rows than EXPORT_AT_ONCE_MAX as a job", async () => {
  await signIn("record.read", "player.read");
  const started = serve(jobRoutes.exportFile, { job_id: 3 });
  const query = { rounds_id: 41, format: "csv" } as const;
  await downloadFile(recordRoutes.exportFile, query, {}, EXPORT_AT_ONCE_MAX);
  expect([opened.length, started.length]).toEqual([1, 0]);
  await downloadFile(recordRoutes.exportFile, query, {}, EXPORT_AT_ONCE_MAX + 1);
  const body = { path: "/gred/api/record/export", query: { rounds_id: "41", format: "csv" } };
  expect([opened.length, started[0]?.body]).toEqual([1, body]);
});
