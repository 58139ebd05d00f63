/** Texts of jobs. A job is an operator's act on many payouts, or an export. */
import { catalogue } from "@red/contract/platform/catalogue";

export const JOB_TEXTS = catalogue({
  jobs: ["任务", "Jobs"],
  jobs_unseen: ["任务，{count} 个有新结果", "Jobs, {count} with news"],
  no_jobs: ["最近没有补发、询问或导出", "No re-issue, question or export lately"],
  sent_again: ["{count} 条已重新发送", "{count} payouts sent again", "{count} payout sent again"],
  again_under_way: ["{count} 条补发", "{count} payouts re-issued", "{count} payout re-issued"],
  asked: [
    "{count} 条已询问钱包",
    "The wallet was asked about {count} payouts",
    "The wallet was asked about {count} payout",
  ],
  outcome_paid: ["{count} 到账", "{count} paid"],
  outcome_refused: ["{count} 再次被拒", "{count} refused again"],
  outcome_refused_of_asked: ["{count} 被拒", "{count} refused"],
  outcome_check: ["{count} 待核实", "{count} to be checked"],
  outcome_closed: ["{count} 已关闭", "{count} closed"],
  outcome_unknown: ["{count} 结果待确认", "{count} unknown"],
  outcome_under_way: ["{count} 待发送或发放中", "{count} waiting or on the way"],
  reason_of: "{reason} {number}",
  reason_whole: ["{words}（{reason}）", "{words} ({reason})"],
  no_reason: ["未说明原因", "no reason given"],
  other_reasons: ["其他原因", "other reasons"],
  colon: ["：", ": "],
  comma: ["，", ", "],
  semicolon: ["、", ", "],
  open_bracket: ["（", " ("],
  close_bracket: ["）", ")"],
  file_done: [
    "文件已生成，{count} 行",
    "The file is ready, {count} rows",
    "The file is ready, {count} row",
  ],
  file_running: [
    "正在生成文件，已写 {count} 行；完成后可在右上角「任务」里下载",
    "Writing the file, {count} rows so far; it will be here, under Jobs",
    "Writing the file, {count} row so far; it will be here, under Jobs",
  ],
  file_failed: ["文件未生成：{fault}", "The file was not made: {fault}"],
  rows: ["明细", "Payouts"],
  only_refused: ["只看被拒绝的", "Only refused"],
  download: ["下载", "Download"],
  retry_reissue: ["补发这 {count} 条", "Send these {count} again", "Send this {count} again"],
  retry_ask: [
    "再询问这 {count} 条",
    "Ask about these {count} again",
    "Ask about this {count} again",
  ],
  retry_export: ["重新生成", "Make it again"],
  retried: ["已重新开始", "Started again"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    job: typeof JOB_TEXTS.zh;
  }
}
