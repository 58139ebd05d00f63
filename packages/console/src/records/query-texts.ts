/** Texts of the activity data query (spec §2, §5). Texts that the specification quotes are literal. */
import { catalogue } from "@red/contract/platform/catalogue";

export const QUERY_TEXTS = catalogue({
  need_user_name: "please fill in the username",
  need_date: "please select the date",
  need_rounds_name: "please select the activity name",
  need_start_date: "please select the activity date",
  filter: ["活动数据查询条件", "Activity data filters"],
  list: ["活动数据列表", "Activity data"],
  date: ["条件时间", "Condition window"],
  type: ["投注平台", "Betting platform"],
  not_asked: [
    "请填写活动日期、活动名称和账号后查询",
    "Choose the activity date and name, enter the account, then search",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    query: typeof QUERY_TEXTS.zh;
  }
}
