import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { useRecordActs } from "./record-acts.tsx";
import { recordRoutes } from "@red/contract/records/record";
import { renderApp } from "#test/app.tsx";
import { DELIVERY, RECORD } from "#test/fixtures.ts";
import { held, serve, signIn } from "#test/server.ts";
import type { Sent } from "#test/server.ts";

let calls: readonly Sent[];
let answer: () => void;

beforeAll(() => signIn("record.read", "record.pay"));

beforeEach(() => {
  const { promise, resolve } = held<{ closed: number; refused: [] }>();
  answer = () => resolve({ closed: 1, refused: [] });
  calls = serve(recordRoutes.close, () => promise);
});

function Acts({ onDone }: { onDone: () => void }) {
  const { close, deliver, dialog } = useRecordActs(onDone);
  return (
    <>
      <button type="button" onClick={() => close([RECORD])}>
        关
      </button>
      <button type="button" onClick={() => deliver([DELIVERY])}>
        发
      </button>
      {dialog}
    </>
  );
}

async function closeOne() {
  const onDone = vi.fn<() => void>();
  renderApp(<Acts onDone={onDone} />);
  fireEvent.click(screen.getByRole("button", { name: "关" }));
  fireEvent.change(await screen.findByLabelText(/关闭原因$/u), { target: { value: "重复" } });
  fireEvent.click(screen.getByRole("button", { name: "关闭发放" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  return onDone;
}

it("shows a sum when closing payouts, but not when delivering physical prizes", async () => {
  renderApp(<Acts onDone={() => undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "发" }));
  const delivery = await screen.findByRole("dialog", { name: "标记发货" });
  expect(delivery.textContent).toContain("player7 · 保温杯共 1 条。可标记发货 1 条。");
  expect(delivery.textContent).not.toContain("0.00");
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "标记发货" })).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: "关" }));
  const closing = await screen.findByRole("dialog", { name: "关闭发放" });
  expect(closing.textContent).toContain("共 1 条，合计 1.50。");
});

it("keeps a dialog open that was opened before the answer to an earlier one", async () => {
  const onDone = await closeOne();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  fireEvent.click(await screen.findByRole("button", { name: "关闭" }));
  await waitFor(() => expect(screen.queryByLabelText(/关闭原因$/u)).toBeNull());
  fireEvent.click(screen.getByRole("button", { name: "发" }));
  await screen.findByLabelText("备注");
  await act(async () => answer());
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(screen.getByLabelText("备注")).toBeTruthy();
});
