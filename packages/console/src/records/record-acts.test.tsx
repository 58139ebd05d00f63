import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { ConfigProvider } from "antd";
import { beforeAll, beforeEach, afterEach, expect, it, vi } from "vitest";
import type { RecordPick } from "@red/contract/record";
import { addTexts } from "#lib/language.ts";
import { loadSession } from "#lib/session.ts";
import { App } from "#test/app.tsx";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { useRecordActs } from "./record-acts.tsx";
import { RECORD_TEXTS } from "./record-texts.ts";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const FAILED: RecordPick = {
  log_id: 7,
  user_name: "player7",
  award_name: "1.50元红包",
  award_price: "1.50",
  payout_state: "refused",
};
const GOODS: RecordPick = {
  ...FAILED,
  log_id: 8,
  award_name: "保温杯",
  award_price: "0.00",
  payout_state: "waiting_delivery",
};

const USER = operatorWith("record.read", "record.pay");

/** The closings that were sent. */
const asked = vi.fn<() => void>();
/** Ends the closing; until then it is under way. */
let answer: () => void;
let closed: Promise<{ closed: number; refused: [] }>;

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  addTexts("record", RECORD_TEXTS);
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("record/close")) {
      asked();
    }
    const data = url.includes("user/info") ? USER : await closed;
    return Response.json({ code: 200, msg: "success", data });
  });
  await loadSession();
});

beforeEach(() => {
  sessionStorage.clear();
  asked.mockClear();
  closed = new Promise((resolve) => {
    answer = () => resolve({ closed: 1, refused: [] });
  });
});

afterEach(cleanup);

function Acts({ onDone }: { onDone: () => void }) {
  const { close, deliver, dialog } = useRecordActs(onDone);
  return (
    <>
      <button type="button" onClick={() => close([FAILED])}>
        关
      </button>
      <button type="button" onClick={() => deliver([GOODS])}>
        发
      </button>
      {dialog}
    </>
  );
}

async function closeOne() {
  const onDone = vi.fn<() => void>();
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <App>
        <Acts onDone={onDone} />
      </App>
    </ConfigProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "关" }));
  fireEvent.change(await screen.findByLabelText(/关闭原因$/u), { target: { value: "重复" } });
  fireEvent.click(screen.getByRole("button", { name: "关闭发放" }));
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  return onDone;
}

it("closes its dialog with the answer", async () => {
  const onDone = await closeOne();
  await act(async () => answer());
  await waitFor(() => expect(screen.queryByLabelText(/关闭原因$/u)).toBeNull());
  expect(onDone).toHaveBeenCalledOnce();
});

it("adds up no money of goods that are delivered, and does of payouts that are closed", async () => {
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <App>
        <Acts onDone={() => undefined} />
      </App>
    </ConfigProvider>,
  );
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

it("leaves the dialog open that was opened while the answer was out", async () => {
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
