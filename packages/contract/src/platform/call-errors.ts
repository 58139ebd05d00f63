/** Errors of calls, sign-in, operators, platform keys and approvals; promotion-errors.ts contains the other errors. */

/**
 * The code of the envelope and the text in both languages. A few errors add an HTTP status that differs from
 * the code, or the wrong input field, which a form highlights (behaviour §1).
 */
export type ErrorRow = readonly [
  code: number,
  zh: string,
  en: string,
  more?: { readonly status?: number; readonly field?: string },
];

export const CALL_ERRORS = {
  bad_input: [400, "{first}", "{first}"],
  not_permitted: [
    403,
    "没有权限执行此操作（需要：{permission}）",
    "You may not do this (needs: {permission})",
  ],
  not_found: [404, "没有这个地址或方法", "No such address or method"],
  request_unreadable: [400, "请求不是有效的 HTTP", "The request is not valid HTTP"],
  request_timeout: [408, "请求未在时限内发完", "The request was not completed in time"],
  body_too_large: [413, "请求内容过大", "The request body is too large"],
  head_too_large: [431, "请求地址和请求头过长", "The address and the headers are too long"],
  upload_too_large: [400, "上传文件大小不能超过 1MB!", "The file must be smaller than 1 MB"],
  upload_type: [400, "上传文件只能是xlsx/xls/csv格式!", "The file must be xlsx, xls or csv"],
  upload_not_as_named: [
    400,
    "文件内容不是 .{type} 格式，请另存为 csv 或 xlsx 后再上传",
    "The content does not match a .{type} file: save it as csv or xlsx and upload it again",
  ],
  upload_missing: [
    400,
    "请选择要上传的文件（字段 poolFile）",
    "Choose the file to upload (field poolFile)",
  ],
  upload_many: [400, "一次只能上传一个文件", "Upload one file at a time"],
  upload_encoding: [
    400,
    "无法识别文件的文字编码，请另存为 UTF-8 编码的 csv 或 xlsx 后再上传",
    "Unknown text encoding: save the file as csv in UTF-8, or as xlsx, and upload it again",
  ],
  upload_encrypted: [
    400,
    "文件有密码保护，请去掉密码后再上传",
    "The file is protected by a password: remove it and upload the file again",
  ],
  upload_broken: [400, "文件已损坏，无法读取", "The file is damaged and cannot be read"],
  upload_too_complex: [
    400,
    "文件内容过多或过于复杂，无法读取",
    "The file is too large or too complex to be read",
  ],
  upload_too_many_rows: [400, "文件最多 {max} 行数据", "A file has at most {max} rows of data"],
  upload_empty: [400, "文件中没有数据", "The file contains no data"],
  import_failed: [400, "添加失败", "Could not add"],
  body_encoded: [
    415,
    "请求内容不能压缩，请去掉请求头 content-encoding: {encoding}",
    "Send the body as it is, without content-encoding: {encoding}",
  ],
  json_wanted: [
    415,
    "请求内容必须是 JSON（请求头 content-type: application/json）",
    "The body must be JSON (header content-type: application/json)",
  ],
  too_many_requests: [
    429,
    "请求过于频繁，请 {seconds} 秒后再试",
    "Too many requests, try again in {seconds} s",
  ],
  internal: [
    500,
    "系统出错，请稍后重试；如仍失败，请提供错误编号 {request_id}",
    "Something went wrong, try again; if it persists, quote error number {request_id}",
  ],
  unavailable: [
    503,
    "系统暂时不可用，请稍后重试",
    "The system is temporarily unavailable, try again",
  ],
  disk_full: [
    503,
    "服务器磁盘空间不足，无法生成文件，请联系运维人员",
    "The server's disk has no room for the file, tell whoever runs it",
  ],
  login_wrong: [1001, "用户名或密码错误", "Wrong user name or password", { status: 401 }],
  login_locked: [
    1002,
    "失败次数过多，请 {minutes} 分钟后再试",
    "Too many failed attempts, try again in {minutes} min",
    { status: 429 },
  ],
  login_codes_locked: [
    1002,
    "来自新地址的错误验证码过多，请从 30 天内登录过的地址登录、使用恢复码，或 {minutes} 分钟后再试",
    "Too many wrong codes from new addresses: sign in from an address that you used within 30 days, with a recovery code, or in {minutes} min",
    { status: 429 },
  ],
  signed_out: [401, "请先登录", "Please sign in"],
  token_unknown: [401, "请先登录", "Please sign in"],
  session_expired: [
    50014,
    "登录已过期，请重新登录",
    "Your session has expired, please sign in again",
    { status: 401 },
  ],
  session_ended: [
    50012,
    "此次登录已被结束，请重新登录",
    "This session was ended, please sign in again",
    { status: 401 },
  ],
  token_malformed: [
    50008,
    "登录凭证无效，请重新登录",
    "The token is not valid, please sign in again",
    { status: 401 },
  ],
  request_token_wrong: [
    403,
    "请求令牌与会话不符，请刷新页面",
    "The request token does not belong to this session, reload the page",
  ],
  ticket_spent: [
    403,
    "下载链接已失效，请重新导出",
    "The download link is no longer valid, export again",
  ],
  operator_not_found: [404, "没有操作员 {name}", "There is no operator {name}"],
  operator_name_taken: [
    409,
    "已有操作员 {name}",
    "There is an operator {name} already",
    { field: "name" },
  ],
  own_account: [409, "不能对自己的账号执行此操作", "You cannot do this to your own account"],
  last_administrator: [
    409,
    "这是最后一位可登录的管理员，请先另设一位",
    "This is the last administrator who may sign in: make another one first",
  ],
  session_not_found: [404, "该会话已结束", "This session is over"],
  password_wrong: [400, "当前密码错误", "The current password is wrong", { field: "current" }],
  password_easy: [
    400,
    "{name} 的新密码容易被猜到：它是常见密码，或含有用户名或本产品的名称。请换一个，例如四个互不相关的词",
    "The new password of {name} is easy to guess: it is a common one, or has the user name or a name of this product in it. Choose another, such as four words that have nothing in common",
    { field: "password" },
  ],
  seed_not_shown: [
    409,
    "请先显示新验证器的二维码",
    "Show the QR code of the new authenticator first",
  ],
  seed_code_wrong: [
    400,
    "新验证器的动态验证码错误",
    "The code of the new authenticator is wrong",
    { field: "code" },
  ],
  key_not_found: [404, "没有可用的密钥 {key}", "There is no key {key} in use"],
  key_not_rotating: [
    409,
    "该密钥只有一个密文，请先轮换",
    "This key has one secret only: rotate it first",
  ],
  stale_version: [
    409,
    "内容已被他人修改，请刷新后重试",
    "Somebody else has changed this, reload and try again",
  ],
  stale_plan: [
    409,
    "预览之后奖池有了变化，请核对后再导入",
    "The pools have changed since the preview, check it again before importing",
  ],
  stale_list: [
    409,
    "核对之后名单的结果有了变化，请再看一次",
    "The result of the list has changed since the preview, check it again",
  ],
  proof_needed: [
    409,
    "请补充这项修改所需的原因或动态验证码",
    "Add the reason or the one-time code that this change takes",
  ],
  only_valued: [409, "仅估算影响，未做修改", "Only valued: nothing was changed"],
  approval_waits: [202, "已提交，待他人审批", "Handed in: another person has to approve it"],
  approval_not_found: [404, "没有这项审批", "There is no such change"],
  approval_decided: [409, "这项修改已处理", "This change has been decided"],
  approval_own: [409, "不能审批自己提交的修改", "You cannot approve your own change"],
  approval_fresh: [
    409,
    "账号在 24 小时内由提交人或命令行直接或间接设立或重置，不能审批其修改",
    "Your account was made or reset within 24 hours by who made this change, by redctl, or by an account of theirs: you cannot approve it",
  ],
  approval_expired: [409, "已超过 24 小时", "It has waited for more than 24 hours"],
  approval_differs: [
    409,
    "执行结果与审批内容不同，已放弃，请重新提交",
    "It would now do something else than what was approved: nothing was done, hand it in again",
  ],
  approval_maker_disabled: [409, "提交人已被停用", "Who made this change has been disabled"],
  approval_nobody: [
    409,
    "没有其他管理员可以审批：{words}",
    "No other administrator could approve: {words}",
  ],
  approval_many: [
    409,
    "您已有 {max} 项修改在等待审批，请先撤回，或等待处理",
    "{max} of your changes wait already: withdraw some, or wait until they are decided",
  ],
  approval_not_two: [
    409,
    "至少要有两位管理员可以审批：{words}",
    "It takes two administrators who could approve: {words}",
  ],
} as const satisfies Record<string, ErrorRow>;
