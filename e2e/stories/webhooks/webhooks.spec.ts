/** The platform is down while a round is paused: the operator sees the message wait, and sends it again. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { numberAt, parsed, textAt } from "../../outside/json.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("the platform receives a pause at once, or when an operator sends it again", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/webhook");
  await expect(page.getByText("redctl webhooks set URL")).toBeVisible();

  const received: unknown[] = [];
  let status = 500;
  let secret = "";
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push(new Webhook(secret).verify(await text(request), Object.fromEntries(headers)));
    response.writeHead(status).end();
  };
  const receiver = createServer((request, response) => {
    take(request, response).catch(() => response.writeHead(401).end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${numberAt(receiver.address(), "port")}/hooks`;
  secret = textAt(parsed((await stage.redctl(`webhooks set ${url} --json`)).out), "secret");

  const rounds_id = await makeOpenRound(operator, "推送", 1);
  await openConsole(page, stage, token, "/activity_manage/config?rounds_name=推送");
  await page.getByRole("switch", { name: /推送 开关/ }).click();
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await openConsole(page, stage, token, "/activity_manage/webhook?type=activity.paused");
  const row = page.getByRole("row", { name: /^选择 推送/ });
  await expect(async () => {
    await page.getByRole("main").getByRole("button", { name: "刷新" }).click();
    await expect(row).toContainText("状态码 500", { timeout: 1_000 });
  }).toPass();
  await expect(row).toContainText("待送达");
  await expect(page.getByText(/ · 1 条待送达$/)).toBeVisible();
  await expect(row.getByRole("button", { name: /^复制 msg_/ })).toBeVisible();
  await expect(page.getByText(`推送到 ${new URL(url).host}`)).toBeVisible();

  status = 204;
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "重新推送", exact: true }).click();
  await expect(page.getByText("已安排重新推送")).toBeVisible();
  // The page refreshes by itself while a message waits.
  await expect(row).toContainText("已送达", { timeout: 20_000 });
  expect(received.at(-1)).toMatchObject({
    type: "activity.paused",
    data: { rounds_id, rounds_status: 0 },
  });
  expect(received[0]).toEqual(received.at(-1));
  receiver.close();
  receiver.closeAllConnections();
  await stage.redctl("webhooks remove");
});
