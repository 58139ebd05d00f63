/** Texts of the login page (spec §2, §5). */
const zh = {
  heading: "red packet management back-end",
  username: "用户名",
  password: "密码",
  show_password: "显示密码",
  hide_password: "隐藏密码",
  caps_lock: "大写锁定已开启",
  log_in: "登录",
  logging_in: "登录中…",
  code_title: "二次验证",
  bind_title: "绑定身份验证器",
  bind_scan: "请用身份验证器应用扫描二维码，再输入应用显示的 6 位验证码。",
  bind_qr: "绑定身份验证器的二维码",
  bind_manual: "无法扫码？可手动输入密钥：",
  copy_secret: "复制密钥",
  copied: "已复制",
  code_label: "动态验证码",
  code_hint: "6 位数字，每 30 秒更新一次",
  use_recovery: "使用恢复码",
  use_authenticator: "使用验证器",
  recovery_label: "恢复码",
  recovery_hint: "12 个字母，每个恢复码只能使用一次",
  confirm: "确认",
  bind: "绑定",
  cancel: "取消",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  heading: "red packet management back-end",
  username: "User name",
  password: "Password",
  show_password: "Show password",
  hide_password: "Hide password",
  caps_lock: "Caps lock is on",
  log_in: "Sign in",
  logging_in: "Signing in…",
  code_title: "Second step",
  bind_title: "Set up your authenticator",
  bind_scan: "Scan the QR code with an authenticator app, then enter the 6 digits it shows.",
  bind_qr: "QR code for your authenticator",
  bind_manual: "Cannot scan? Enter the secret by hand",
  copy_secret: "Copy secret",
  copied: "Copied",
  code_label: "One-time code",
  code_hint: "6 digits, new every 30 seconds",
  use_recovery: "Use a recovery code",
  use_authenticator: "Use the authenticator",
  recovery_label: "Recovery code",
  recovery_hint: "12 letters; each recovery code works once",
  confirm: "Confirm",
  bind: "Bind",
  cancel: "Cancel",
};

export const LOGIN_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    login: typeof zh;
  }
}
