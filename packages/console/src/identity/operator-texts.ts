import { catalogue } from "@red/contract/platform/catalogue";
import { WHO_WORDS } from "@red/contract/platform/who-words";

export const OPERATOR_TEXTS = catalogue({
  ...WHO_WORDS,
  of: ["{what}：{name}", "{what}: {name}"],
  name: ["名称", "Name"],
  made: ["创建时间", "Made"],
  used: ["最近使用", "Last used"],
  active: ["正常", "Active"],
  shown_once: [
    "以下内容只显示这一次，请立即保存或转交。",
    "This is shown this once: keep it or hand it over now.",
  ],
  secret: ["密文", "Secret"],
  secret_copy: ["复制", "Copy"],
  secret_done: ["我已保存", "I have saved it"],
  roles: ["角色", "Roles"],
  more_label: ["更多操作：{name}", "More for {name}"],
  not_own: ["不能对自己的账号执行此操作", "You cannot do this to your own account"],
  disabled: ["已停用", "Disabled"],
  to_bind: ["待绑定验证器，截止", "To bind until"],
  sessions: ["会话", "Sessions"],
  sessions_open: ["{count} 个会话", "{count} sessions", "{count} session"],
  seen: ["最近 {at}", "last {at}"],
  never_seen: ["未登录过", "Never signed in"],
  add: ["新增操作员", "New operator"],
  add_hint: [
    "将生成密码，只显示一次；首次登录须在 24 小时内绑定验证器。",
    "A password is made and shown once; the first sign-in within 24 hours binds an authenticator.",
  ],
  change_roles: ["修改角色", "Change roles"],
  change_roles_hint: [
    "从该操作员的下一次操作起生效。",
    "It counts from the next call of the operator.",
  ],
  new_password: ["重置密码", "New password"],
  new_password_hint: [
    "将生成新密码，只显示一次；{name} 的所有会话会结束，验证器不变。",
    "A new password is made and shown once. All sessions of {name} end; the authenticator stays.",
  ],
  let_go: ["解除验证器", "Let go of authenticator"],
  let_go_hint: [
    "{name} 的验证器和恢复码将失效，所有会话会结束；24 小时内再次登录时绑定新的验证器。",
    "The authenticator and recovery codes of {name} no longer work, and all sessions end. The next sign-in within 24 hours binds a new authenticator.",
  ],
  disable: ["停用", "Disable"],
  disable_hint: [
    "{name} 的所有会话会立即结束，之后不能再登录。",
    "All sessions of {name} end at once, and no new one can be opened.",
  ],
  enable: ["启用", "Enable"],
  enable_hint: ["{name} 将可以再次登录。", "{name} can sign in again."],
  end_session: ["结束", "End"],
  end_session_hint: [
    "{name} 于 {at} 登录的会话会立即结束，要继续须重新登录。",
    "The session that {name} opened at {at} ends at once; to go on they sign in again.",
  ],
  end_all: ["结束全部会话", "End all sessions"],
  end_all_hint: [
    "{name} 的全部会话会立即结束，要继续须重新登录。",
    "All sessions of {name} end at once; to go on they sign in again.",
  ],
  end_others: ["结束其他会话", "End the other sessions"],
  end_others_hint: [
    "除当前会话外，{name} 的会话会立即结束。",
    "All sessions of {name} but this one end at once.",
  ],
  this_session: ["当前会话", "This session"],
  opened: ["登录于", "Signed in"],
  address: ["来源地址", "From"],
  key: ["密钥", "Key"],
  scopes: ["权限范围", "Scopes"],
  used_old: ["旧密文最近使用 {at}", "old secret last used {at}"],
  never_used: ["未使用过", "Never used"],
  rotating: ["轮换中", "Rotating"],
  revoked: ["已吊销", "Revoked"],
  add_key: ["新增密钥", "New key"],
  add_key_hint: [
    "密文只显示一次，请准备好交给平台。",
    "The secret is shown once: be ready to hand it to the platform.",
  ],
  rotate: ["轮换", "Rotate"],
  rotate_hint: [
    "将生成第二个密文，与现有密文同时有效。平台改用新密文后，再停用旧密文。",
    "A second secret is made, valid beside the present one. Retire the old one when the platform uses the new one.",
  ],
  rotate_again: ["再次轮换", "Rotate again"],
  rotate_again_hint: [
    "将重新生成新密文，上一次生成的新密文在五秒内失效。旧密文仍然有效，直到停用。",
    "The new secret is made anew; the one made before is refused within five seconds. The old one stays valid until it is retired.",
  ],
  retire: ["停用旧密文", "Retire old secret"],
  retire_hint: [
    "旧密文将在五秒内失效，最近使用：{at}。平台若仍在使用，其请求会被拒绝。",
    "The old secret is refused within five seconds. Last used: {at}. Calls of a platform that still uses it are refused.",
  ],
  revoke: ["吊销", "Revoke"],
  revoke_hint: [
    "使用「{name}」的平台将在五秒内被拒绝，且不能恢复。",
    "The platform that uses “{name}” is refused within five seconds. This cannot be undone.",
  ],
  own_roles: ["我的角色", "My roles"],
  own_password: ["修改密码", "Change password"],
  own_password_hint: [
    "12 至 128 个字符，不能是常见密码，也不能含有用户名。修改后其他会话会结束。",
    "12 to 128 characters, not a common password, and without your user name. Your other sessions end.",
  ],
  current: ["当前密码", "Current password"],
  own_password_length: ["须有 12 至 128 个字符", "12 to 128 characters"],
  password: ["新密码", "New password"],
  repeat: ["再次输入新密码", "New password again"],
  repeat_wrong: ["两次输入的新密码不一致", "The new passwords differ"],
  authenticator: ["验证器", "Authenticator"],
  change_authenticator: ["更换验证器", "Change authenticator"],
  change_authenticator_hint: [
    "更换手机时，在此绑定新的验证器；绑定之前，现有验证器继续有效。绑定后其他会话会结束。",
    "With a new phone, bind its authenticator here; the present one works until then. Your other sessions end once it is bound.",
  ],
  scan: [
    "请用新的验证器扫描二维码，再输入其中的验证码。",
    "Scan the QR code with the new authenticator, then enter its code.",
  ],
  scan_manual: ["无法扫描时，手动输入密钥：", "If it cannot be scanned, enter the key:"],
  qr: ["验证器二维码", "QR code for the authenticator"],
  bind: ["绑定", "Bind"],
  recovery: ["恢复码", "Recovery codes"],
  recovery_left: [
    "还有 {count} 个未使用的恢复码。验证器丢失时，每个可代替一次验证码。",
    "{count} recovery codes are left. Without the authenticator, each replaces one code.",
    "{count} recovery code is left. Without the authenticator, it replaces one code.",
  ],
  recovery_make: ["生成恢复码", "Make recovery codes"],
  recovery_make_hint: [
    "生成后，之前的恢复码全部失效。",
    "Earlier recovery codes no longer work then.",
  ],
});

/** An act is a key that has a hint. */
type VerbOf<K> = K extends `${infer V}_hint` ? V : never;
export type Verb = VerbOf<keyof typeof OPERATOR_TEXTS.zh>;

declare module "i18next" {
  interface ResourceNamespaceMap {
    operator: typeof OPERATOR_TEXTS.zh;
  }
}
