/** Texts of the settings; each has a name and a note by its key. */
import type { English } from "#lib/language.ts";

const zh = {
  title: "设置",
  setting: "设置项",
  value: "当前值",
  default: "默认值",
  changed_by: "修改人",
  changed_at: "修改时间",
  save: "保存",
  save_label: "保存：{name}",
  on: "开启",
  off: "关闭",
  guard_sum: "大额变动金额",
  guard_sum_note: "活动进行中修改奖池，可能多支出的金额超过它时，须输入动态验证码。",
  guard_programs: "程序也要动态验证码",
  guard_programs_note: "关闭时只问后台操作员；开启后，用访问令牌修改奖池的程序也会被要求。",
} as const;

const en: English<typeof zh> = {
  title: "Settings",
  setting: "Setting",
  value: "Value",
  default: "Default",
  changed_by: "Changed by",
  changed_at: "Changed at",
  save: "Save",
  save_label: "Save: {name}",
  on: "On",
  off: "Off",
  guard_sum: "Costly change",
  guard_sum_note:
    "A change of a pool while rounds run wants a one-time code if it may cost more than this extra.",
  guard_programs: "Programs need a code too",
  guard_programs_note:
    "Off: only operators of the console are asked. On: so are programs that change pools with an access token.",
};

export const SETTING_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    setting: typeof zh;
  }
}
