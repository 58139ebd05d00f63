const zh = {
  tags: "活动组别",
  red_codes: "站内信代码",
  tag: "组别标识",
  red_code: "代码",
  add_tag: "新增组别",
  add_red_code: "新增站内信代码",
  rename: "改名",
  rename_label: "改名 {name}",
  rename_tag: "修改组别名称",
  rename_red_code: "修改站内信名称",
  tag_rule: "字母、数字、_ 或 -，保存后不能修改",
  red_code_rule: "字母、数字、_ . : 或 -，保存后不能修改",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  tags: "Activity groups",
  red_codes: "Message codes",
  tag: "Key",
  red_code: "Code",
  add_tag: "Add a group",
  add_red_code: "Add a message code",
  rename: "Rename",
  rename_label: "Rename {name}",
  rename_tag: "Rename the group",
  rename_red_code: "Rename the message",
  tag_rule: "Letters, digits, _ or -; it cannot be changed afterwards",
  red_code_rule: "Letters, digits, _ . : or -; it cannot be changed afterwards",
};

export const TAG_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    tag: typeof zh;
  }
}
