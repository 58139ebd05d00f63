/** Words for roles and scopes. They have their own file, because the sign-in page does not need them. */

/** The names of roles and scopes, which people read instead of ids, and what each role or scope allows. */
export const WHO_WORDS = {
  role_admin: ["管理员", "Administrator"],
  role_admin_may: ["全部权限", "everything"],
  role_operations: ["运营", "Operations"],
  role_operations_may: [
    "查看活动、奖池、记录与玩家；修改活动与奖池；补发、核对；添加次数；暂停与恢复",
    "see activities, pools, records and players; change activities and pools; re-issue, reconcile; grant draws; stop and start",
  ],
  role_support: ["客服", "Support"],
  role_support_may: [
    "查看活动、奖池、记录与玩家；添加与收回次数",
    "see activities, pools, records and players; grant draws and take them back",
  ],
  role_finance: ["财务", "Finance"],
  role_finance_may: [
    "查看活动、奖池、记录、玩家与操作日志；补发、核对；签核；暂停，恢复发放",
    "see activities, pools, records, players and the audit log; re-issue, reconcile; sign off; stop, start payouts",
  ],
  role_risk: ["风控", "Risk"],
  role_risk_may: [
    "查看活动、奖池、记录、玩家与操作日志；排除玩家；暂停",
    "see activities, pools, records, players and the audit log; exclude players; stop",
  ],
  role_viewer: ["只读", "Read-only"],
  role_viewer_may: [
    "查看活动、奖池、记录与玩家，但隐藏玩家账号与金额",
    "see activities, pools, records and players; accounts and amounts hidden",
  ],
  scope_ingest: ["上报数据", "feed data"],
  scope_ingest_may: ["上报玩家、存款与投注", "send players, deposits and bets"],
  scope_draw: ["抽奖", "draw"],
  scope_draw_may: ["为玩家抽奖", "draw for players"],
  scope_read: ["查询", "look up"],
  scope_read_may: ["查询活动、次数与抽奖结果", "read activities, draws left and results"],
  scope_wallet: ["钱包回报", "report payouts"],
  scope_wallet_may: ["由钱包回报发放结果", "the wallet tells how payouts ended"],
} as const;
