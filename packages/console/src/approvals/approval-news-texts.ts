/** Texts of approvals that every page needs: the dialog that asks for a reason, and the outcome of changes. */
import { catalogue } from "@red/contract/platform/catalogue";

export const APPROVAL_NEWS_TEXTS = catalogue({
  reason_title: ["填写原因", "Give a reason"],
  reason_second: [
    "提交后由另一人审批，通过后才会执行。",
    "Another person has to approve it; until then nothing is done.",
  ],
  reason_second_ok: ["提交审批", "Hand in"],
  waiting_for_you: [
    "{count} 项修改待你审批",
    "{count} changes wait for your approval",
    "{count} change waits for your approval",
  ],
  open: ["去审批", "Open"],
  decided_done: ["{by} 已通过你提交的 #{id}", "{by} approved your change #{id}"],
  decided_refused: ["{by} 已拒绝你提交的 #{id}", "{by} refused your change #{id}"],
  decided_differs: [
    "{by} 已通过你提交的 #{id}，但未执行：结果与审批内容不同",
    "{by} approved your change #{id}, but it was not done: it would now do something else",
  ],
  decided_expired: [
    "你提交的 #{id} 超过 24 小时无人审批，已失效",
    "Nobody decided on your change #{id} within 24 hours",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    approval_news: typeof APPROVAL_NEWS_TEXTS.zh;
  }
}
