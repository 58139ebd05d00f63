/** Texts of the audit log; those of actions are in the contract's table. */
import type { English } from "#lib/language.ts";

const zh = {
  actors: "来源",
  actors_people: "人员",
  actors_platforms: "平台",
  actor: "操作人",
  kind_key: "平台密钥",
  kind_redctl: "命令行",
  kind_system: "系统",
  action: "操作",
  object: "对象",
  object_type: "对象类型",
  object_id: "对象编号",
  outcome: "结果",
  outcome_done: "完成",
  outcome_refused: "被拒绝",
  changes: "内容",
  request: "请求编号",
  address: "来源地址",
  no_details: "没有字段变化",
  history: "变更记录：{name}",
  all_filters: "在操作日志中查看",
  type_activity: "活动",
  type_pool: "奖池",
  type_prize: "奖品",
  type_player: "玩家",
  type_record: "记录",
  type_payout: "发放",
  type_extra_time: "次数",
  type_exclusion: "排除名单",
  type_operator: "操作员",
  type_api_key: "平台密钥",
  type_setting: "设置",
  type_stop_switch: "暂停开关",
  type_approval: "审批",
  type_permission: "权限",
} as const;

const en: English<typeof zh> = {
  actors: "From",
  actors_people: "People",
  actors_platforms: "Platforms",
  actor: "Who",
  kind_key: "platform key",
  kind_redctl: "command line",
  kind_system: "system",
  action: "Action",
  object: "Object",
  object_type: "Kind of object",
  object_id: "Number of object",
  outcome: "Outcome",
  outcome_done: "Done",
  outcome_refused: "Refused",
  changes: "What",
  request: "Request number",
  address: "From address",
  no_details: "No fields changed",
  history: "Changes of {name}",
  all_filters: "See it in the audit log",
  type_activity: "Activity",
  type_pool: "Pool",
  type_prize: "Prize",
  type_player: "Player",
  type_record: "Record",
  type_payout: "Payout",
  type_extra_time: "Draws",
  type_exclusion: "Exclusion",
  type_operator: "Operator",
  type_api_key: "Platform key",
  type_setting: "Setting",
  type_stop_switch: "Stop switch",
  type_approval: "Approval",
  type_permission: "Permission",
};

export const AUDIT_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    audit: typeof zh;
  }
}
