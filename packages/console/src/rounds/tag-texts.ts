import { catalogue } from "@red/contract/platform/catalogue";

export const TAG_TEXTS = catalogue({
  tags: ["活动组别", "Activity groups"],
  red_codes: ["站内信代码", "Message codes"],
  tag: ["组别标识", "Key"],
  red_code: ["代码", "Code"],
  add_tag: ["新增组别", "Add a group"],
  add_red_code: ["新增站内信代码", "Add a message code"],
  rename: ["改名", "Rename"],
  rename_label: ["改名 {name}", "Rename {name}"],
  rename_tag: ["修改组别名称", "Rename the group"],
  rename_red_code: ["修改站内信名称", "Rename the message"],
  tag_rule: [
    "字母、数字、_ 或 -，保存后不能修改",
    "Letters, digits, _ or -; it cannot be changed afterwards",
  ],
  red_code_rule: [
    "字母、数字、_ . : 或 -，保存后不能修改",
    "Letters, digits, _ . : or -; it cannot be changed afterwards",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    tag: typeof TAG_TEXTS.zh;
  }
}
