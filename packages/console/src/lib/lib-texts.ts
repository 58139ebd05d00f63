/** Texts for the API layer (spec §8) and for parts that fail to load. */
import { catalogue } from "@red/contract/platform/catalogue";

export const LIB_TEXTS = catalogue({
  network_failed: [
    "网络异常，请检查网络后重试",
    "Network error, check the connection and try again",
  ],
  no_envelope: [
    "服务器没有正确应答（HTTP {status}），请稍后重试",
    "The server sent an invalid response (HTTP {status}), try again later",
  ],
  unreadable: [
    "服务器的应答无法识别，请刷新页面后重试",
    "The server's response could not be read, reload the page and try again",
  ],
  part_lost: ["未能加载", "Not loaded"],
  part_cut: [
    "网络不通，这部分没有加载。恢复连接后会自动加载。",
    "No connection: this part has not been loaded. It loads by itself once you are online.",
  ],
  part_gone: [
    "控制台可能已更新，这部分的旧文件已不在服务器上。请重新载入：未保存的表单会恢复，未查询的条件和所选文件需重新填写。",
    "The console seems to have been updated: this part's old file is gone. Reload; unsaved forms are restored, filters not searched yet and chosen files are not.",
  ],
  part_retry: ["重试", "Try again"],
  part_reload: ["重新载入", "Reload"],
});
