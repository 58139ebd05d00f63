/**
 * Each action of the audit log, by kind of object, with its words in Chinese and English. The filter of the
 * log finds only actions of this table. The log lists any other action under the name of the action.
 */
const TABLE = `
activity     | create_activity        | 新增活动         | New activity
activity     | update_activity        | 修改活动         | Activity changed
activity     | copy_activity          | 复制活动         | Activity copied
activity     | pause_activity         | 暂停活动         | Activity paused
activity     | resume_activity        | 恢复活动         | Activity resumed
activity     | delete_activity        | 删除活动         | Activity deleted
activity     | sign_sheet             | 签核             | Signed off
pool         | create_pool            | 新增奖池         | New pool
pool         | rename_pool            | 重命名奖池       | Pool renamed
pool         | copy_pool              | 复制奖池         | Pool copied
pool         | delete_pool            | 删除奖池         | Pool deleted
pool         | save_pool              | 整池保存         | Pool saved
pool         | restore_pool           | 恢复奖池版本     | Pool version restored
pool         | import_prizes          | 批量导入奖品     | Prizes imported
pool         | stop_pool              | 暂停奖池         | Pool stopped
pool         | start_pool             | 恢复奖池         | Pool started
prize        | create_prize           | 新增奖品         | New prize
prize        | update_prize           | 修改奖品         | Prize changed
prize        | add_stock              | 增加库存         | Stock added
prize        | delete_prize           | 删除奖品         | Prize deleted
stop_switch  | stop_draws             | 暂停抽奖         | Draws stopped
stop_switch  | start_draws            | 恢复抽奖         | Draws started
stop_switch  | stop_payouts           | 暂停发放         | Payouts stopped
stop_switch  | start_payouts          | 恢复发放         | Payouts started
stop_switch  | stop_everything        | 全部暂停         | Everything stopped
stop_switch  | start_everything       | 全部恢复         | Everything started
tag          | create_tag             | 新增组别         | New group
tag          | rename_tag             | 修改组别         | Group changed
message_code | create_message_code    | 新增站内信代码   | New message code
message_code | rename_message_code    | 修改站内信代码   | Message code changed
payout       | reissue_records        | 补发             | Re-issued
payout       | ask_records            | 向钱包查询       | Wallet asked
payout       | deliver_records        | 标记已发货       | Handed over
payout       | close_records          | 关闭             | Closed
payout       | take_payout_word       | 钱包回报         | Reported by the wallet
extra_time   | grant_extra_times      | 添加次数         | Draws granted
extra_time   | take_back_extra_times  | 收回次数         | Draws taken back
exclusion    | exclude_players        | 排除玩家         | Players excluded
exclusion    | lift_exclusion         | 解除排除         | Exclusion lifted
player       | ingest_players         | 上报玩家         | Players fed
player       | erase_player           | 清除玩家资料     | Player erased
deposit      | ingest_deposits        | 上报存款         | Deposits fed
deposit      | reverse_deposits       | 撤销存款         | Deposits reversed
deposit      | detach_month           | 归档月份         | Month put away
bet          | ingest_bets            | 上报投注         | Bets fed
bet          | void_bets              | 作废投注         | Bets voided
bet          | detach_month           | 归档月份         | Month put away
reconciliation       | reconcile      | 钱包对账         | Reconciled
reconciliation_break | mend_break     | 处理差异         | Break mended
download     | create_ticket          | 下载             | Download
job          | start_export           | 导出             | Export
saved_view   | create_saved_view      | 保存视图         | View saved
saved_view   | delete_saved_view      | 删除视图         | View deleted
setting      | save_setting           | 修改设置         | Setting changed
webhook      | set_webhook            | 设置推送地址     | Webhook set
webhook      | remove_webhook         | 移除推送地址     | Webhook removed
webhook      | redeliver_messages     | 重新推送         | Messages sent again
operator     | log_in                 | 登录             | Signed in
operator     | log_out                | 退出登录         | Signed out
operator     | confirm_code           | 验证码           | One-time code
operator     | bind_authenticator     | 绑定验证器       | Authenticator bound
operator     | use_recovery_code      | 使用恢复码       | Recovery code used
operator     | create_operator        | 新增操作员       | New operator
operator     | change_roles           | 修改角色         | Roles changed
operator     | reset_password         | 重置密码         | Password reset
operator     | reset_totp             | 解除验证器       | Authenticator let go
operator     | disable_operator       | 停用操作员       | Operator disabled
operator     | enable_operator        | 启用操作员       | Operator enabled
operator     | end_sessions           | 结束会话         | Sessions ended
operator     | change_password        | 修改密码         | Password changed
operator     | show_seed              | 更换验证器       | New authenticator shown
operator     | renew_recovery_codes   | 生成恢复码       | Recovery codes made
api_key      | create_key             | 新增密钥         | New key
api_key      | rotate_key             | 轮换密钥         | Key rotated
api_key      | retire_secret          | 停用旧密文       | Old secret retired
api_key      | revoke_key             | 吊销密钥         | Key revoked
approval     | ask_approval           | 提交审批         | Handed in
approval     | approve_change         | 通过审批         | Change approved
approval     | refuse_change          | 拒绝审批         | Change refused
approval     | withdraw_change        | 撤回审批         | Change withdrawn
permission   | call                   | 无权限的操作     | Not permitted
installation | trim_audit_log         | 删除旧日志       | Old rows deleted
installation | migrate                | 升级             | Migrated
installation | backup                 | 备份             | Backed up
installation | restore                | 恢复备份         | Restored
installation | distribute             | 分布到多台机器   | Spread over machines
`;

export const AUDIT_ACTS = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [object_type = "", action = "", zh = "", en = ""] = line.split(/ *\| */);
    return { object_type, action, zh, en };
  });

const TYPES = `
activity 活动 Activity | pool 奖池 Pool | prize 奖品 Prize | player 玩家 Player | record 记录 Record
payout 发放 Payout | extra_time 次数 Draws | exclusion 排除名单 Exclusion | tag 组别 Group
message_code 站内信代码 Message code | deposit 存款 Deposits | bet 投注 Bets
reconciliation 钱包对账 Reconciliation | reconciliation_break 对账差异 Break | webhook 推送 Webhook
download 下载 Download | job 任务 Task | saved_view 视图 View | operator 操作员 Operator
api_key 平台密钥 Platform key | setting 设置 Setting | stop_switch 暂停开关 Stop switch | approval 审批 Approval
permission 权限 Permission | installation 系统 Installation
`;

/** Words for the kinds of objects. The log lists a kind without words under its own name. */
export const AUDIT_TYPES = new Map(
  [...TYPES.matchAll(/(\w+) (\S+) ([\w ]*\w)/g)].map(([, type, zh = "", en = ""]) => [
    type,
    { zh, en },
  ]),
);
