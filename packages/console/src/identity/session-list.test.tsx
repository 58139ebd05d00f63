import { fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ownRoutes } from "@red/contract/identity/operators";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { OwnPage } from "./own-page.tsx";

const SESSION = {
  created_at: "2026-11-20 20:00:00",
  seen_at: "2026-11-20 20:01:00",
  address: null,
};

it.each([
  ["结束：2026-11-20 20:00:00", "operator 于 2026-11-20 20:00:00 登录的会话会立即结束", 2],
  ["结束其他会话", "除当前会话外，operator 的会话会立即结束", undefined],
])("%s asks a question that names the session, then ends it", async (name, words, session_id) => {
  await signIn();
  const others = { ...SESSION, id: 2, current: false };
  const sessions = [
    { ...SESSION, id: 1, current: true, created_at: "2026-11-20 21:00:00" },
    others,
  ];
  serve(ownRoutes.read, { recovery_left: 0, sessions });
  const sent = serve(ownRoutes.endSessions, null);
  renderApp(<OwnPage />);
  fireEvent.click(await screen.findByRole("button", { name }));
  const question = await screen.findByRole("dialog");
  expect(question.textContent).toContain(words);
  expect(sent).toEqual([]);
  fireEvent.click(within(question).getByRole("button", { name: /^结束/ }));
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ session_id }]);
});
