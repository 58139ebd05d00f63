/** Texts of the activity data query (spec §2, §5); those that the specification quotes are literal. */
const quoted = {
  need_user_name: "please fill in the username",
  need_date: "please select the date",
  need_rounds_name: "please select the activity name",
  need_start_date: "please select the activity date",
} as const;

const zh = {
  ...quoted,
  filter: "活动数据查询条件",
  list: "活动数据列表",
  date: "条件时间",
  type: "投注平台",
  not_asked: "请填写活动日期、活动名称和账号后查询",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  ...quoted,
  filter: "Activity data filters",
  list: "Activity data",
  date: "Condition window",
  type: "Betting platform",
  not_asked: "Choose the activity date and name, enter the account, then search",
};

export const QUERY_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    query: typeof zh;
  }
}
