const zh = { open: "查看玩家 {name}" } as const;

const en: Readonly<Record<keyof typeof zh, string>> = { open: "View player {name}" };

export const ACCOUNT_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    account: typeof zh;
  }
}
