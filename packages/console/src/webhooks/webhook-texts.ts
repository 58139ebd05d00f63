import { catalogue } from "@red/contract/platform/catalogue";

export const WEBHOOK_TEXTS = catalogue({
  filter: ["推送查询条件", "Message filters"],
  list: ["推送记录", "Messages"],
  type: ["类型", "Type"],
  payout_succeeded: ["发放成功", "Payout made"],
  payout_failed: ["发放失败", "Payout failed"],
  prize_low_stock: ["库存不足一成", "Stock below a tenth"],
  activity_paused: ["活动暂停", "Round paused"],
  activity_resumed: ["活动恢复", "Round resumed"],
  about: ["对象", "About"],
  message_id: ["消息ID", "Message ID"],
  trans_sn: ["流水号", "Payout number"],
  waiting: ["待送达", "Waiting"],
  delivered: ["已送达", "Delivered"],
  given_up: ["已放弃", "Given up"],
  attempts: ["次数", "Tries"],
  answer: ["最近应答", "Last answer"],
  answer_status: ["状态码 {status}", "Status {status}"],
  answer_connection: ["连接失败（{fault}）", "No connection ({fault})"],
  answer_timeout: ["超时", "Timeout"],
  answer_too_long: ["应答过长", "Answer too long"],
  answer_stopped: ["服务停止，已中断", "Cut off: the service stopped"],
  next_at: ["下次推送", "Next try"],
  redeliver: ["重新推送", "Send again"],
  redeliver_label: ["重新推送 {about}", "Send again {about}"],
  selected: ["已选 {count} 条", "{count} selected"],
  host: ["推送到 {host}", "Sent to {host}"],
  host_failing: ["推送到 {host}，自 {since} 起失败", "Sent to {host}, failing since {since}"],
  failing_answer: ["最近应答：", "Last answer: "],
  failing_next: ["下次推送：{next}", "Next try: {next}"],
  waiting_count: ["{count} 条待送达", "{count} waiting"],
  no_host: [
    "尚未设置推送地址。在服务器上运行：redctl webhooks set URL",
    "No address is set. On the server, run: redctl webhooks set URL",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    webhook: typeof WEBHOOK_TEXTS.zh;
  }
}
