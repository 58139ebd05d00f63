/** Texts of jobs: what an operator started, and what became of it. */
import type { English } from "#lib/language.ts";

const zh = {
  jobs: "任务",
  jobs_unseen: "任务，{count} 个有新结果",
  no_jobs: "最近没有补发、询问或导出",
  sent_again: "{count} 条已重新发送",
  asked: "{count} 条已询问钱包",
  outcome_paid: "{count} 到账",
  outcome_refused: "{count} 再次被拒",
  outcome_refused_of_asked: "{count} 被拒",
  outcome_check: "{count} 待核实",
  outcome_closed: "{count} 已关闭",
  outcome_unknown: "{count} 结果待确认",
  outcome_under_way: "{count} 发放中",
  reason_of: "{reason} {number}",
  reason_whole: "{words}（{reason}）",
  no_reason: "未说明原因",
  other_reasons: "其他原因",
  colon: "：",
  comma: "，",
  semicolon: "、",
  open_bracket: "（",
  close_bracket: "）",
  file_done: "文件已生成，{count} 行",
  file_running: "正在生成文件，已写 {count} 行；完成后可在右上角「任务」里下载",
  file_failed: "文件未生成：{fault}",
  rows: "明细",
  only_refused: "只看被拒绝的",
  download: "下载",
  retry_reissue: "补发这 {count} 条",
  retry_ask: "再询问这 {count} 条",
  retry_export: "重新生成",
  retried: "已重新开始",
};

const en: English<typeof zh> = {
  jobs: "Jobs",
  jobs_unseen: "Jobs, {count} with news",
  no_jobs: "No re-issue, question or export lately",
  sent_again: "{count} payouts sent again",
  sent_again_one: "{count} payout sent again",
  asked: "The wallet was asked about {count} payouts",
  asked_one: "The wallet was asked about {count} payout",
  outcome_paid: "{count} paid",
  outcome_refused: "{count} refused again",
  outcome_refused_of_asked: "{count} refused",
  outcome_check: "{count} to be checked",
  outcome_closed: "{count} closed",
  outcome_unknown: "{count} unknown",
  outcome_under_way: "{count} on the way",
  reason_of: "{reason} {number}",
  reason_whole: "{words} ({reason})",
  no_reason: "no reason given",
  other_reasons: "other reasons",
  colon: ": ",
  comma: ", ",
  semicolon: ", ",
  open_bracket: " (",
  close_bracket: ")",
  file_done: "The file is ready, {count} rows",
  file_done_one: "The file is ready, {count} row",
  file_running: "Writing the file, {count} rows so far; it will be here, under Jobs",
  file_running_one: "Writing the file, {count} row so far; it will be here, under Jobs",
  file_failed: "The file was not made: {fault}",
  rows: "Payouts",
  only_refused: "Only refused",
  download: "Download",
  retry_reissue: "Send these {count} again",
  retry_reissue_one: "Send this {count} again",
  retry_ask: "Ask about these {count} again",
  retry_ask_one: "Ask about this {count} again",
  retry_export: "Make it again",
  retried: "Started again",
};

export const JOB_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    job: typeof zh;
  }
}
