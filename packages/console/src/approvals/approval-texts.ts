import { catalogue } from "@red/contract/platform/catalogue";
import { APPROVAL_STATES } from "@red/contract/evidence/audit-words";

export const APPROVAL_TEXTS = catalogue({
  ...APPROVAL_STATES,
  what: ["修改内容", "Change"],
  made: ["提交", "Made"],
  decided: ["处理", "Decided"],
  risk: ["可能支出", "May cost"],
  selected: ["已选 {count} 项", "{count} selected", "{count} selected"],
  approve_ticked: ["审批", "Approve"],
  approve: ["通过", "Approve"],
  approve_title: ["通过 {count} 项修改", "Approve {count} changes", "Approve {count} change"],
  approve_hint: [
    "由 {by} 提交。输入验证码后立即执行以下修改。",
    "Made by {by}. What follows is done as soon as the code is entered.",
  ],
  approve_risk: [
    "合计到结束最多多支出约 {risk}。",
    "Together they cost up to about {risk} more until the end.",
  ],
  risked: ["此人 24 小时内另有 {sum}", "The same person risked {sum} more within 24 hours"],
  refuse: ["拒绝", "Refuse"],
  withdraw: ["撤回", "Withdraw"],
  ran: [
    "已通过并执行 {count} 项",
    "{count} changes approved and done",
    "{count} change approved and done",
  ],
  outcomes: ["审批结果", "How the changes ended"],
  secret_once: ["只显示这一次，请立即交给使用人", "Shown only this once: hand them over now"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    approval: typeof APPROVAL_TEXTS.zh;
  }
}
