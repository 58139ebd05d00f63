import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onNotice } from "./notices.ts";
import { forgetSession, loadSession } from "./session.ts";

const INFO = {
  name: "root-op",
  roles: ["admin"],
  permissions: ["activity.read"],
  avatar: "",
  introduction: "",
  request_token: "r",
  time_zone: "Asia/Shanghai",
  red_code_default: "RED_PACKET",
  demo: false,
  wallet: "none",
};

const asked: string[] = [];
const notices: string[] = [];
let stop: () => void = () => undefined;

function serve(code: number, data: unknown = null, msg = ""): void {
  vi.stubGlobal("fetch", (url: string) => {
    if (!url.endsWith("config.json")) {
      asked.push(url);
    }
    return Promise.resolve(Response.json({ code, msg, data }));
  });
}

beforeEach(() => {
  asked.length = 0;
  notices.length = 0;
  forgetSession();
  stop = onNotice("error", (text) => notices.push(text));
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it("asks once who is signed in, and stores only the display name", async () => {
  serve(200, INFO);
  const [first, second] = await Promise.all([loadSession(), loadSession()]);
  expect(first).toEqual(INFO);
  expect(second).toEqual(INFO);
  expect(asked).toEqual(["/gred/api/user/info"]);
  expect(localStorage.getItem("name")).toBe("root-op");
  expect([localStorage.length, sessionStorage.length]).toEqual([1, 1]);
  expect(sessionStorage.getItem("kept_for")).toBe("root-op");
});

it("reads 401 as nobody, silently, and asks again a little later", async () => {
  vi.useFakeTimers();
  serve(401, null, "请先登录");
  await expect(loadSession()).resolves.toBeNull();
  await expect(loadSession()).resolves.toBeNull();
  expect(asked).toEqual(["/gred/api/user/info"]);
  vi.advanceTimersByTime(1000);
  serve(200, INFO);
  await expect(loadSession()).resolves.toEqual(INFO);
  expect(notices).toEqual([]);
  vi.useRealTimers();
});

it("ends the session and shows why, when the user info call is refused", async () => {
  serve(500, null, "系统出错，请稍后重试");
  await expect(loadSession()).resolves.toBeNull();
  expect(asked).toEqual(["/gred/api/user/info", "/gred/api/logout"]);
  expect(notices).toEqual(["系统出错，请稍后重试"]);
});

it.each([
  ["nothing", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a proxy's page", () => Promise.resolve(new Response("Bad Gateway", { status: 502 }))],
])("leaves the session alone when %s answers for the user info", async (_, answer) => {
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return answer();
  });
  await expect(loadSession()).resolves.toBeNull();
  expect(asked.filter((url) => !url.endsWith("config.json"))).toEqual(["/gred/api/user/info"]);
  expect(notices).toHaveLength(1);
});
