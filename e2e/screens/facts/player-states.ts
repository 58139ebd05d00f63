/** Records and queries, players, deposits and bets, extra times (spec §2, §4, §5, §8). */
import { pick } from "../../stories/form.ts";
import { answer, choose, click, enter, menu, tickAll } from "../places/place.ts";
import { unfold } from "../places/menus.ts";
import type { Look, Step } from "../places/place.ts";
import { clearDate, cut, listed, pickToday } from "./steps.ts";
import type { State, States } from "./steps.ts";

const searchOf = ({ page }: Look) => page.getByRole("search");
const addingOf = ({ page }: Look) => page.getByRole("region", { name: "添加次数" });

const ask = answer("查询");
const query = click("查询");
const exportCsv = menu("导出", "导出", "CSV");
const account = { 账号: "{account}" };
const clearDay = clearDate(".ant-modal");
const chooseDeposits = choose("活动名称", "存款活动");
const queryDay = enter({ 活动日期: "{today}" }, searchOf);
const queryRound = (name: string) => choose("活动名称", name, searchOf);
const queryAccount = enter(account, searchOf);
const queryRange = enter(
  { "条件时间 开始时间": "{today} 00:00:00", "条件时间 结束时间": "{today} 23:59:59" },
  searchOf,
);
const asked = [queryDay, queryRound("存款活动"), queryAccount, query, listed] as const;

const add = answer("添加", "添加", addingOf);
const addGroup: Step = (look) =>
  pick(look.page, addingOf(look).getByRole("combobox", { name: "次数组别" }), "端午红包");
const adding = (user_name: string): State => [
  "add-num",
  listed,
  enter({ 账号: user_name }, addingOf),
  addGroup,
  enter({ 过期时间: "{tomorrow} 23:59:59" }, addingOf),
  add,
];
const unfolded = ["distribution", listed, unfold] as const;

export const PLAYER_STATES: States = {
  records: {
    opened: unfolded,
    "nothing selected": ["distribution", listed, click("批量补发")],
    "export without an id": ["distribution", listed, exportCsv],
    successes: ["distribution?award_status=1&rounds_id={round}", listed],
    failures: ["distribution?award_status=2&rounds_id={round}", listed],
    "list failed": ["distribution", listed, cut("GET /gred/api/record/list", "text=加载失败")],
    "rows selected": ["distribution", listed, tickAll],
    "today chosen for the range": [...unfolded, pickToday("参与时间 开始时间", "今天")],
  },
  query: {
    opened: ["query"],
    "nothing filled in": ["query", query],
    "account filled in": ["query", queryAccount, query],
    "account and range filled in": ["query", queryAccount, queryRange, query],
    "all but the name filled in": ["query", queryDay, queryAccount, queryRange, query],
    "all but the day filled in": [
      "query",
      queryDay,
      queryRound("存款活动"),
      queryAccount,
      clearDate("[role=search]"),
      query,
    ],
    "day filled in": ["query", queryDay],
    "activity of deposits chosen": ["query", queryDay, queryRound("存款活动")],
    "activity of bets chosen": ["query", queryDay, queryRound("投注活动")],
    "asked for": ["query", ...asked],
    "nothing selected": ["query", ...asked, click("批量补发")],
    "re-issue asked": [
      "query",
      ...asked,
      ({ page }) =>
        page
          .getByRole("button", { name: /^补发 / })
          .and(page.locator(":enabled"))
          .first()
          .click(),
      ({ page }) => page.getByRole("dialog").waitFor(),
    ],
    reset: ["query", ...asked, click("重置")],
  },
  players: {
    opened: ["record"],
    "draws opened on the day": ["draw-info"],
    "draws asked with nothing": ["draw-info", clearDay, enter({ 账号: "" }), ask],
    "draws asked with the account": ["draw-info", clearDay, enter(account), ask],
    "draws asked without the day": ["draw-info", enter(account), chooseDeposits, clearDay, ask],
    "draws answered": ["draw-info", enter(account), chooseDeposits, ask],
    "info opened": ["player-info"],
    "info asked with nothing": ["player-info", enter({ 账号: "" }), ask],
    "info answered": ["player-info-answer"],
  },
  events: {
    deposits: ["deposits?user_name={account}", listed, unfold],
    bets: ["bets?user_name={account}", listed, unfold],
    "deposits exported without a day": ["deposits?user_name={account}", listed, exportCsv],
    "bets exported without a day": ["bets?user_name={account}", listed, exportCsv],
    "list failed": [
      "deposits?user_name={account}",
      listed,
      cut("POST /gred/api/userInfo/deposit", "text=加载失败"),
    ],
    "formats offered": ["deposits?user_name={account}", listed, menu("导出")],
    "user query opened": ["deposits?user_name={account}", listed, click("用户活动查询")],
  },
  "extra times": {
    opened: ["add-num", listed],
    "nothing entered": ["add-num", listed, add],
    "account entered": ["add-num", listed, enter({ 账号: "page00" }, addingOf), add],
    "account and group entered": [
      "add-num",
      listed,
      enter({ 账号: "page00" }, addingOf),
      addGroup,
      add,
    ],
    added: adding("page00"),
    "adding refused": adding("nobody-of-this-name"),
    "searched without an account": ["add-num", listed, answer("查询", "查询", searchOf)],
    "searched for an account": [
      "add-num",
      listed,
      enter(account, searchOf),
      answer("查询", "查询", searchOf),
    ],
  },
};
