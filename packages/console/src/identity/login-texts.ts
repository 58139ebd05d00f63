import { catalogue } from "@red/contract/platform/catalogue";

export const LOGIN_TEXTS = catalogue({
  heading: "red packet management back-end",
  username: ["用户名", "User name"],
  password: ["密码", "Password"],
  show_password: ["显示密码", "Show password"],
  hide_password: ["隐藏密码", "Hide password"],
  caps_lock: ["大写锁定已开启", "Caps lock is on"],
  log_in: ["登录", "Sign in"],
  logging_in: ["登录中…", "Signing in…"],
  code_title: ["二次验证", "Second step"],
  bind_title: ["绑定身份验证器", "Set up your authenticator"],
  bind_scan: [
    "请用身份验证器应用扫描二维码，再输入应用显示的 6 位验证码。",
    "Scan the QR code with an authenticator app, then enter the 6 digits it shows.",
  ],
  bind_qr: ["绑定身份验证器的二维码", "QR code for your authenticator"],
  bind_manual: ["无法扫码？可手动输入密钥：", "Cannot scan? Enter the secret by hand"],
  copy_secret: ["复制密钥", "Copy secret"],
  copied: ["已复制", "Copied"],
  code_label: ["动态验证码", "One-time code"],
  code_hint: ["6 位数字，每 30 秒更新一次", "6 digits, new every 30 seconds"],
  use_recovery: ["使用恢复码", "Use a recovery code"],
  use_authenticator: ["使用验证器", "Use the authenticator"],
  recovery_label: ["恢复码", "Recovery code"],
  recovery_hint: [
    "25 个字母（旧的 12 个），每个恢复码只能使用一次",
    "25 letters, or 12 for an older one; each recovery code works once",
  ],
  confirm: ["确认", "Confirm"],
  bind: ["绑定", "Bind"],
  cancel: ["取消", "Cancel"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    login: typeof LOGIN_TEXTS.zh;
  }
}
