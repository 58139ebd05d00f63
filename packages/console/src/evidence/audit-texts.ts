/** Texts of the audit log. The texts of actions are in the contract. */
import { catalogue } from "@red/contract/platform/catalogue";

export const AUDIT_TEXTS = catalogue({
  actors: ["来源", "By"],
  actors_all: ["全部", "All"],
  actors_people: ["人员", "People"],
  actors_platforms: ["平台", "Platforms"],
  actor: ["操作人", "Who"],
  by_kind: ["{by}（{kind}）", "{by} ({kind})"],
  kind_key: ["平台密钥", "platform key"],
  kind_redctl: ["命令行", "command line"],
  kind_system: ["系统", "system"],
  action: ["操作", "Action"],
  object: ["对象", "Object"],
  object_type: ["对象类型", "Kind of object"],
  object_id: ["对象编号", "Number of object"],
  outcome: ["结果", "Outcome"],
  outcome_done: ["完成", "Done"],
  outcome_refused: ["被拒绝", "Refused"],
  changes: ["内容", "What"],
  request: ["请求编号", "Request number"],
  address: ["来源地址", "From address"],
  no_details: ["没有字段变化", "No fields changed"],
  history: ["变更记录：{name}", "Changes of {name}"],
  all_filters: ["在操作日志中查看", "See it in the audit log"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    audit: typeof AUDIT_TEXTS.zh;
  }
}
