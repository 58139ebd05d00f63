import { fireEvent, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { erasureRoutes } from "@red/contract/evidence/erasure";
import type { PayoutSum, PlayerHead } from "@red/contract/chances/player-view";
import { chooseLanguage } from "#lib/language.ts";
import { renderApp } from "#test/app.tsx";
import { needing, serve, startServer } from "#test/server.ts";
import { useHeldText, useMoneyText } from "./money-text.ts";
import { EraseDialog } from "./player-dialogs.tsx";

afterEach(() => chooseLanguage("zh"));

const SUM: PayoutSum = {
  payout_state: "refused",
  count: 2,
  amount: "1017.54",
  since: "2026-11-22 03:05:22",
  reasons: [],
  other_reasons: { count: 0, amount: "0.00" },
};
const MIGRATED = { reason: "wallet being migrated", count: 1, amount: "1016.66" };
const FROZEN = { reason: "account frozen", count: 1, amount: "0.88" };

function sentence(change: Partial<PayoutSum>): string {
  return renderHook(() => useMoneyText()).result.current({ ...SUM, ...change });
}

it.each<[string, Partial<PayoutSum>, string]>([
  [
    "all for one reason",
    { reasons: [{ ...FROZEN, count: 2, amount: "1017.54" }] },
    "2 笔 1,017.54 被拒绝：账户已冻结（account frozen），最早的自 2026-11-22 03:05:22 起。",
  ],
  [
    "for different reasons",
    { reasons: [MIGRATED, FROZEN] },
    "2 笔 1,017.54 被拒绝：钱包迁移中（wallet being migrated） 1 笔 1,016.66；账户已冻结（account frozen） 1 笔 0.88，最早的自 2026-11-22 03:05:22 起。",
  ],
  [
    "one without a reason, and more reasons than are named",
    {
      count: 5,
      reasons: [MIGRATED, { ...FROZEN, reason: null }],
      other_reasons: { count: 3, amount: "9.00" },
    },
    "5 笔 1,017.54 被拒绝：钱包迁移中（wallet being migrated） 1 笔 1,016.66；未说明原因 1 笔 0.88；其他原因 3 笔 9.00，最早的自 2026-11-22 03:05:22 起。",
  ],
  [
    "no reason at all",
    { since: null, reasons: [{ ...FROZEN, count: 2, reason: null }] },
    "2 笔 1,017.54 被拒绝。",
  ],
])("payouts: %s", (_name, change, text) => {
  expect(sentence(change)).toBe(text);
});

const RISK = { kind: "risk", until: null, reason: "多账号" };
const STAFF = { kind: "staff", until: "2026-12-31 23:59:59", reason: "客服" };
const SELF = { kind: "self", until: null, reason: "本人" };
// The objects have only the fields that the text shows.
const excluded = (...some: object[]) => some as PlayerHead["exclusions"];

it("names only the exclusions that hold payouts", () => {
  const heldBy = (...some: object[]) =>
    renderHook(() => useHeldText(excluded(...some))).result.current;
  expect(heldBy(SELF)).toBeNull();
  expect(heldBy(RISK, SELF, STAFF)).toBe(
    "玩家被排除（风控，永久，原因：多账号；内部员工，到 2026-12-31 23:59:59，原因：客服），排队中的奖金暂缓发放；排除解除或到期后自动发送。",
  );
});

it.each([
  ["held", [RISK], /有 2 笔发放因玩家被排除而暂缓，请先解除排除/],
  ["open", [SELF], /还有 3 笔发放未了结/],
  [
    "open and the player is excluded",
    [SELF, RISK],
    /在排除名单中（自我排除、风控）。请先让平台关闭这个账号/,
  ],
])("cannot erase a player while payouts are %s", async (_name, exclusions, words) => {
  const queued = { ...SUM, payout_state: "queued" as const };
  const payouts = [queued, { ...SUM, count: 1 }, { ...SUM, payout_state: "paid" as const }];
  const head = { user_name: "a", exclusions: excluded(...exclusions), payouts } as PlayerHead;
  renderApp(<EraseDialog head={head} onErased={() => undefined} onClose={() => undefined} />);
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByLabelText(/^输入账号/)).toHaveProperty("disabled", true);
  expect(screen.getByRole("button", { name: "清除资料" })).toHaveProperty("disabled", true);
});

it("erases with the typed account and a code, then lists rows that may still name the player", async () => {
  startServer();
  const left = [{ place: "audit_log" as const, rows: 1_200 }];
  const needs = { code_above: null, risk: "0.00" };
  const sent = serve(erasureRoutes.erase, ({ code }) =>
    code === undefined ? needing(needs) : { player_id: "erased-1", left },
  );
  const head = {
    user_name: "a",
    exclusions: [],
    payouts: [] as PayoutSum[],
  } as unknown as PlayerHead;
  const onErased = vi.fn<() => void>();
  renderApp(<EraseDialog head={head} onErased={onErased} onClose={() => undefined} />);
  const account = await screen.findByLabelText(/^输入账号/);
  const press = () => fireEvent.click(screen.getByRole("button", { name: "清除资料" }));
  fireEvent.change(account, { target: { value: "b" } });
  press();
  expect(await screen.findByText("输入的账号不一致")).toBeDefined();
  fireEvent.change(account, { target: { value: "a" } });
  press();
  const code = await screen.findByLabelText("动态验证码");
  // The browser must not store the account.
  expect(sessionStorage).toHaveLength(0);
  fireEvent.change(code, { target: { value: "123456" } });
  expect(await screen.findByText("操作日志：1,200 条")).toBeDefined();
  expect(sent.at(-1)).toMatchObject({ body: { user_name: "a" }, code: "123456" });
  expect(onErased).toHaveBeenCalledTimes(1);
});

it("says the same in English", async () => {
  await chooseLanguage("en");
  expect(sentence({ reasons: [MIGRATED, FROZEN] })).toBe(
    "Refused: 2, 1,017.54 in total (wallet being migrated: 1, 1,016.66; account frozen: 1, 0.88), the oldest since 2026-11-22 03:05:22.",
  );
  expect(sentence({ payout_state: "paid", since: null })).toBe("Paid: 2, 1,017.54 in total.");
});
