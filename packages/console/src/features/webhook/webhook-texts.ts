/** Texts of the messages to the platform (behaviour §14). */
import type { English } from "#lib/language.ts";

const zh = {
  filter: "推送查询条件",
  list: "推送记录",
  type: "类型",
  payout_succeeded: "发放成功",
  payout_failed: "发放失败",
  prize_low_stock: "库存不足一成",
  activity_paused: "活动暂停",
  activity_resumed: "活动恢复",
  about: "对象",
  message_id: "消息ID",
  trans_sn: "流水号",
  waiting: "待送达",
  delivered: "已送达",
  given_up: "已放弃",
  attempts: "次数",
  answer: "最近应答",
  answer_status: "状态码 {status}",
  answer_connection: "连接失败（{fault}）",
  answer_timeout: "超时",
  answer_too_long: "应答过长",
  answer_stopped: "服务停止，已中断",
  next_at: "下次推送",
  redeliver: "重新推送",
  redeliver_label: "重新推送 {about}",
  selected: "已选 {count} 条",
  host: "推送到 {host}",
  host_failing: "推送到 {host}，自 {since} 起失败",
  failing_answer: "最近应答：",
  failing_next: "下次推送：{next}",
  waiting_count: "{count} 条待送达",
  no_host: "尚未设置推送地址。在服务器上运行：redctl webhooks set URL",
} as const;

const en: English<typeof zh> = {
  filter: "Message filters",
  list: "Messages",
  type: "Type",
  payout_succeeded: "Payout made",
  payout_failed: "Payout failed",
  prize_low_stock: "Stock below a tenth",
  activity_paused: "Round paused",
  activity_resumed: "Round resumed",
  about: "About",
  message_id: "Message ID",
  trans_sn: "Payout number",
  waiting: "Waiting",
  delivered: "Delivered",
  given_up: "Given up",
  attempts: "Tries",
  answer: "Last answer",
  answer_status: "Status {status}",
  answer_connection: "No connection ({fault})",
  answer_timeout: "Timeout",
  answer_too_long: "Answer too long",
  answer_stopped: "Cut off: the service stopped",
  next_at: "Next try",
  redeliver: "Send again",
  redeliver_label: "Send again {about}",
  selected: "{count} selected",
  host: "Sent to {host}",
  host_failing: "Sent to {host}, failing since {since}",
  failing_answer: "Last answer: ",
  failing_next: "Next try: {next}",
  waiting_count: "{count} waiting",
  no_host: "No address is set. On the server, run: redctl webhooks set URL",
};

export const WEBHOOK_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    webhook: typeof zh;
  }
}
