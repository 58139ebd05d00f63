/** The console's opponent: one antd page with only the table and the form of the activities. */
import { ConfigProvider } from "antd";
import zhCN from "antd/locale/zh_CN";
import { createRoot } from "react-dom/client";
import { PlainPage } from "./plain-page.tsx";
import "dayjs/locale/zh-cn";

const root = document.querySelector("#root");
if (root === null) {
  throw new Error("index.html has no #root");
}
createRoot(root).render(
  <ConfigProvider locale={zhCN} button={{ autoInsertSpace: false }}>
    <PlainPage />
  </ConfigProvider>,
);
