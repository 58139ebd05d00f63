/** Texts of overview and boards. */
import { catalogue } from "@red/contract/catalogue";

export const WATCH_TEXTS = catalogue({
  live: ["实时更新，最近变化 {time}", "Live, last change {time}"],
  stale: ["最后更新 {time}，重新连接中", "Last update {time}, reconnecting"],
  needs: ["需要处理", "Needs somebody"],
  today: ["今天", "Today"],
  total: ["累计", "In all"],
  lately: ["最近一小时", "Last hour"],
  running: ["进行中", "Running"],
  next: ["即将开始", "Next"],
  ended: ["已结束", "Ended"],
  held: ["暂不能抽奖", "No draws now"],
  drawn: ["已抽出", "Drawn"],
  paid: ["已发放", "Paid or delivered"],
  open: ["未了结", "Open"],
  closed: ["已关闭", "Closed"],
  waiting: ["发放中", "On the way"],
  refused: ["被拒绝", "Refused"],
  unknown: ["结果待确认", "Outcome unknown"],
  check: ["待人工核对", "To be checked"],
  goods: ["待发货", "Goods to ship"],
  breaks: ["对账差异", "Differences"],
  low: ["库存不足一成", "Less than a tenth left"],
  unsigned: ["{month} 从未签核的活动", "Rounds never signed {month}"],
  within: ["{whole}其中{part}", "{part} (of {whole})"],
  drains: ["预计发完", "All sent at"],
  drained: ["无待发", "Nothing waits"],
  not_falling: ["未在减少", "Not falling"],
  pool: ["奖池 {name}", "Pool {name}"],
  over: ["时间已过", "Time over"],
  pace: ["{sum} 次，每分钟最多 {most} 次", "{sum} draws, up to {most} a minute"],
  wallet: ["钱包", "Wallet"],
  works: ["正常", "Works"],
  stopped: ["暂停", "Stopped"],
  minutes: ["每分钟抽奖", "Draws per minute"],
  minute: ["时间", "Time"],
  refusals: ["未能抽奖的请求", "Refused draw calls"],
  reason: ["原因", "Reason"],
  calls: ["次数", "Calls"],
  stock: ["奖品库存", "Stock of prizes"],
  left: ["剩余", "Left"],
  prize: ["奖品", "Prize"],
  runs_out: ["预计抽完时间", "Runs out"],
  empty: ["已抽完", "Gone"],
  resting: ["近期无人抽中", "Not drawn lately"],
  lasts: ["活动结束前抽不完", "Lasts beyond the end"],
  table: ["表格", "Table"],
  fullscreen: ["全屏看板", "Board in full screen"],
  leave: ["退出全屏", "Leave full screen"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    watch: typeof WATCH_TEXTS.zh;
  }
}
