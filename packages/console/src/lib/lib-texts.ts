/** Texts of the shared handling of calls (spec §8). */
export const LIB_TEXTS = {
  zh: {
    network_failed: "网络异常，请检查网络后重试",
    no_envelope: "服务器没有正确应答（HTTP {status}），请稍后重试",
    unreadable: "服务器的应答无法识别，请刷新页面后重试",
  },
  en: {
    network_failed: "Network error, check the connection and try again",
    no_envelope: "The server did not answer properly (HTTP {status}), try again later",
    unreadable: "The server's answer is not understood, reload the page and try again",
  },
} as const;
