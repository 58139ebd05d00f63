/** Texts of the second pair of eyes: asking for it, giving it, and what became of it. */
import type { English } from "#lib/language.ts";

const zh = {
  reason_title: "填写原因",
  reason_second: "保存后由另一人审批，通过后才会执行。",
  reason_second_ok: "提交审批",
  waiting_for_you: "{count} 项修改待你审批",
  open: "去审批",
  decided_done: "{by} 已通过你提交的 #{id}",
  decided_refused: "{by} 已拒绝你提交的 #{id}",
  decided_differs: "{by} 已通过你提交的 #{id}，但未执行：结果与审批内容不同",
  decided_expired: "你提交的 #{id} 超过 24 小时无人审批，已失效",
  state_waiting: "待审批",
  state_done: "已执行",
  state_refused: "已拒绝",
  state_withdrawn: "已撤回",
  state_expired: "已过期",
  state_differs: "未执行",
  what: "修改内容",
  made: "提交",
  decided: "处理",
  risk: "可能支出",
  selected: "已选 {count} 项",
  approve_ticked: "审批",
  approve: "通过",
  approve_title: "通过 {count} 项修改",
  approve_hint: "由 {by} 提交，可能支出合计 {risk}。输入验证码后立即执行。",
  refuse: "拒绝",
  withdraw: "撤回",
  ran: "已通过并执行 {count} 项",
  outcomes: "审批结果",
  secret_once: "只显示这一次，请立即交给使用人",
} as const;

const en: English<typeof zh> = {
  reason_title: "Give a reason",
  reason_second: "Another person has to approve it; until then nothing is done.",
  reason_second_ok: "Hand in",
  waiting_for_you_one: "{count} change waits for your approval",
  waiting_for_you: "{count} changes wait for your approval",
  open: "Open",
  decided_done: "{by} approved your change #{id}",
  decided_refused: "{by} refused your change #{id}",
  decided_differs:
    "{by} approved your change #{id}, but it was not done: it would now do something else",
  decided_expired: "Nobody decided on your change #{id} within 24 hours",
  state_waiting: "Waiting",
  state_done: "Done",
  state_refused: "Refused",
  state_withdrawn: "Withdrawn",
  state_expired: "Expired",
  state_differs: "Not done",
  what: "Change",
  made: "Made",
  decided: "Decided",
  risk: "May cost",
  selected_one: "{count} selected",
  selected: "{count} selected",
  approve_ticked: "Approve",
  approve: "Approve",
  approve_title_one: "Approve {count} change",
  approve_title: "Approve {count} changes",
  approve_hint: "Made by {by}; may cost {risk} in all. Done as soon as the code is entered.",
  refuse: "Refuse",
  withdraw: "Withdraw",
  ran_one: "{count} change approved and done",
  ran: "{count} changes approved and done",
  outcomes: "How the changes ended",
  secret_once: "Shown only this once: hand them over now",
};

export const APPROVAL_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    approval: typeof zh;
  }
}
