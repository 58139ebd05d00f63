import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRoutes } from "@red/contract/identity/session";
import { loadSession } from "#lib/session.ts";
import { renderApp } from "#test/app.tsx";
import { OPERATOR } from "#test/fixtures.ts";
import { serve } from "#test/server.ts";
import { Banners } from "./banners.tsx";

it("leads from guessed codes to the page where the password is changed", async () => {
  serve(sessionRoutes.userInfo, { ...OPERATOR, wrong_codes: 5 });
  await loadSession();
  renderApp(<Banners />);
  await screen.findByText(/输错验证码 5 次/u);
  const { href } = screen.getByRole<HTMLAnchorElement>("link", { name: "我的账号" });
  expect(new URL(href).pathname).toBe("/activity_manage/own");
});
