import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { activityRoutes } from "@red/contract/rounds/activity";
import { poolRoutes } from "@red/contract/pools/pool";
import { renderApp } from "#test/app.tsx";
import { ROUND } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";
import { CopyDialog } from "./copy-dialog.tsx";

it("reads an hour as it is typed, and marks the field on leaving if it cannot be read", async () => {
  await signIn("activity.write");
  serve(activityRoutes.detail, ROUND);
  serve(activityRoutes.list, { content: [], total: 0 });
  serve(poolRoutes.list, { content: [], total: 0 });
  renderApp(<CopyDialog id={41} onClose={() => undefined} />);
  const hour = await screen.findByLabelText(/^开始时刻/);
  const enter = (value: string) => {
    fireEvent.change(hour, { target: { value } });
    fireEvent.blur(hour);
  };
  enter("2130");
  expect(await screen.findByText(/21:30:00 至 .* 22:00:00$/)).toBeDefined();
  enter("25:00");
  expect(await screen.findByText("请按 20:00 填写")).toBeDefined();
  // This text replaces both the times and the rule.
  expect(screen.getAllByText("开始或结束时刻无法识别")).toHaveLength(2);
  expect(screen.queryByText(/还需填写/)).toBeNull();
  expect(screen.queryByText(/ 至 /)).toBeNull();
  expect(screen.getByRole("button", { name: "复制" })).toBeDefined();
});
