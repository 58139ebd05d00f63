import { activityRoutes } from "@red/contract/rounds/activity";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { sessionRoutes } from "@red/contract/identity/session";
import { settingRoutes } from "@red/contract/approvals/setting";
import { sheetRoutes } from "@red/contract/finance/sheet";
import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { held, needing } from "#test/server.ts";
import { ApiError, call, changeBy, make, setRequestToken, settled, upload } from "./api.ts";
import { withoutNulls } from "./api.ts";
import { onNotice, stayedOnPage } from "./notices.ts";
import { leaveAskedProof, useAskedProof } from "./proof.ts";
import type { Asked } from "./proof.ts";

const requests: { url: string; init: RequestInit }[] = [];
let answer: () => Response | Promise<Response>;

function envelope(code: number, data: unknown = null, msg = ""): () => Response {
  return () => Response.json({ code, msg, data });
}

const asked = () => requests.at(-1) ?? { url: "nothing was asked", init: {} };
const header = (name: string) => new Headers(asked().init.headers).get(name);

const notices: string[] = [];

beforeEach(() => {
  requests.length = 0;
  notices.length = 0;
  setRequestToken(null);
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    if (url.endsWith("config.json")) {
      return Promise.resolve(Response.json({}));
    }
    requests.push({ url, init });
    return Promise.resolve().then(() => answer());
  });
  const stops = [
    onNotice("error", (text) => notices.push(text)),
    onNotice("waits", (text) => notices.push(text)),
    onNotice("relogin", () => notices.push("<relogin>")),
    onNotice("signed_out", () => notices.push("<signed out>")),
  ];
  return () => {
    stops.forEach((stop) => stop());
    vi.unstubAllGlobals();
  };
});

const list = () => call(activityRoutes.list, { query: { page: 1, size: 20 } });
const EMPTY = { content: [], total: 0 };

describe("a request", () => {
  it("has the token of an upload in the header and in the form", async () => {
    answer = envelope(200, { added: 1, updated: 0, unchanged: 0 });
    setRequestToken("a token");
    await upload(prizeRoutes.importFile, new File(["x"], "a.csv"), { pool_name: "A" });
    const { body } = asked().init;
    const form = body instanceof FormData ? body : new FormData();
    expect(header("token")).toBe("a token");
    expect([...form.keys()]).toEqual(["pool_name", "poolFile", "token"]);
    expect(form.get("token")).toBe("a token");
  });

  it("omits null and undefined in the address, and null in the body", async () => {
    answer = envelope(200, EMPTY);
    await call(activityRoutes.list, {
      // Clients that follow the specification send null for an empty filter.
      query: { start_date: null as unknown as undefined, tag: undefined, page: 2 },
    });
    expect(asked().url).toBe("/gred/api/act/list?page=2");

    answer = envelope(0, { access_token: "t", name: "a" });
    await call(sessionRoutes.login, { body: { username: "a", password: "b", code: null } });
    expect(asked().init.body).toBe('{"username":"a","password":"b"}');
  });

  it("keeps empty texts, zero and false", () => {
    expect(withoutNulls({ a: "", b: 0, c: false, d: null, e: undefined })).toEqual({
      a: "",
      b: 0,
      c: false,
    });
  });

  it("puts ids into the path and carries the request token once it is known", async () => {
    answer = envelope(200, null);
    await call(activityRoutes.remove, { params: { id: 41 } });
    expect([asked().init.method, asked().url]).toEqual(["DELETE", "/gred/api/act/41"]);
    expect(header("token")).toBeNull();
    expect(header("content-type")).toBeNull();

    setRequestToken("request-token");
    await call(activityRoutes.remove, { params: { id: 41 } });
    expect(header("token")).toBe("request-token");
    expect(header("accept-language")).toBe("zh");
  });
});

describe("the reason and code of a change", () => {
  const keyed = (code: number, key: string, data: unknown = null) =>
    Response.json({ code, msg: key, data, key });
  const proof = () => [header("x-reason"), header("x-code")];
  const save = (value = "9") =>
    settled(call(settingRoutes.save, { params: { key: "band_second" }, body: { value } }));
  let asking: { readonly current: Asked | null };
  beforeEach(() => {
    asking = renderHook(() => useAskedProof()).result;
  });
  const asked = async (needs: object) => {
    await waitFor(() => expect(asking.current?.needs).toMatchObject(needs));
    return asking.current as Asked;
  };

  it("are asked for together and sent with the same call; a wrong code is shown at its field", async () => {
    answer = () => needing({ reason: true });
    const saving = save();
    const { give } = await asked({ code: true, reason: true });
    answer = () => keyed(402, "code_wrong");
    expect(await give({ reason: "补偿", code: "000000" })).toBe("code_wrong");
    expect(proof()).toEqual([encodeURIComponent("补偿"), "000000"]);
    answer = () => keyed(202, "approval_waits");
    expect(await give({ reason: "补偿", code: "123456" })).toBeNull();
    expect(await saving).toMatchObject({ ok: false, error: { key: "approval_waits" } });
    expect([proof()[1], asking.current, notices]).toEqual(["123456", null, ["approval_waits"]]);
    answer = () => needing({ code: false, reason: true });
    const again = save();
    const { leave } = await asked({ code: false });
    expect(proof()).toEqual([null, null]);
    act(leave);
    expect(await again).toMatchObject({ ok: false, error: { key: "proof_needed" } });
    expect(notices).toEqual(["approval_waits"]);
  });

  it("are asked for again if the change now needs more; a used code is not sent again", async () => {
    answer = () => needing({});
    const saving = save();
    const { give } = await asked({ code: true, reason: false });
    answer = () => needing({ code: false, reason: true });
    void give({ code: "111111" });
    const more = await asked({ code: true, reason: true });
    answer = () => keyed(402, "code_used");
    expect(await more.give({ code: "222222", reason: "补偿" })).toBe("code_used");
    expect(proof()).toEqual([encodeURIComponent("补偿"), "222222"]);
    act(more.leave);
    expect(await saving).toMatchObject({ ok: false, error: { key: "proof_needed" } });
  });

  it("are asked for once if the button is pressed twice, and again after the dialog was closed", async () => {
    answer = () => needing({});
    const [first, second] = [save(), save()];
    const { leave } = await asked({ code: true });
    expect(await second).toMatchObject({ ok: false, error: { key: "proof_needed" } });
    act(leave);
    await first;
    const again = save();
    const next = await asked({ code: true });
    act(next.leave);
    await again;
    expect(notices).toEqual([]);
  });

  it("when the page is left: reports an unsaved form, but not an act with its own texts", async () => {
    answer = () => needing({});
    const words = { title: "签核", okText: "签核" };
    const body = { hash: "h" };
    const sends = [
      save,
      () => settled(make(changeBy(sheetRoutes.sign, { params: { id: 1 }, body }), { words })),
    ];
    for (const send of sends) {
      const sending = send();
      await asked({ code: true });
      act(leaveAskedProof);
      expect(await sending).toMatchObject({ ok: false, error: { key: "proof_needed" } });
    }
    expect([requests.length, notices.length]).toEqual([2, 1]);
  });

  it("when closed while sending: the answer still arrives, a wrong code is reported, and the next question waits", async () => {
    for (const [late, told] of [
      [() => keyed(200, "saved", { value: "9.00" }), { ok: true }],
      [() => keyed(402, "code_wrong"), { ok: false, error: { key: "proof_needed" } }],
    ] as const) {
      answer = () => needing({});
      const [one, two] = [save(), save("8")];
      const { give, leave } = await asked({ code: true });
      let arrive: (response: Response) => void = () => undefined;
      answer = async () =>
        await new Promise<Response>((resolve) => {
          arrive = resolve;
        });
      const giving = give({ code: "123456" });
      await waitFor(() => expect(asking.current?.isSending).toBe(true));
      expect(await give({ code: "123456" })).toBeNull();
      act(leave);
      expect(asking.current).toBeNull();
      arrive(late());
      await giving;
      expect(await one).toMatchObject(told);
      const next = await asked({ code: true });
      act(next.leave);
      await two;
    }
    expect(notices).toContain("code_wrong");
  });
});

describe("an answer", () => {
  it("has the envelope's data, checked by the route's schema", async () => {
    answer = envelope(200, EMPTY);
    await expect(list()).resolves.toEqual(EMPTY);
    answer = envelope(200, { content: "none" });
    await expect(list()).rejects.toThrow("服务器的应答无法识别");
  });

  it.each([402, 407])("resolves for login code %i, with its message", async (code) => {
    answer = envelope(code, null, "请输入动态验证码");
    const body = { username: "a", password: "b", pid: "2" } as const;
    await expect(make(changeBy(sessionRoutes.login, { body }))).resolves.toEqual({
      code,
      data: null,
      msg: "请输入动态验证码",
    });
    expect(notices).toEqual([]);
  });

  it("shows any other code once and rejects with faults and data", async () => {
    const data = { errors: [{ field: "rounds_name", msg: "请填写活动名称" }] };
    answer = () => Response.json({ code: 400, msg: "请填写活动名称", data, key: "bad_input" });
    const result = await settled(list());
    const error = { code: 400, faults: data.errors, data, key: "bad_input" };
    expect(result).toMatchObject({ ok: false, error });
    expect(notices).toEqual(["请填写活动名称"]);
  });

  it("shows a refusal without a message as Error", async () => {
    answer = envelope(409);
    await expect(list()).rejects.toThrow("Error");
    expect(notices).toEqual(["Error"]);
  });

  it("shows nothing for a quiet call", async () => {
    answer = envelope(500, null, "系统出错");
    await expect(call(sessionRoutes.userInfo, {}, { quiet: true })).rejects.toThrow(ApiError);
    expect(notices).toEqual([]);
  });

  it("shows a failed network, and a proxy's page", async () => {
    answer = () => {
      throw new TypeError("fetch failed");
    };
    await expect(list()).rejects.toThrow(ApiError);
    answer = () => new Response("<html>Bad gateway</html>", { status: 502 });
    await expect(list()).rejects.toThrow(ApiError);
    expect(notices).toEqual([
      "网络异常，请检查网络后重试",
      "服务器没有正确应答（HTTP 502），请稍后重试",
    ]);
  });

  it("shows no notice for an abort, also in the middle of the answer", async () => {
    answer = () => {
      throw new DOMException("aborted", "AbortError");
    };
    await expect(list()).rejects.not.toThrow(ApiError);
    answer = () => {
      const broken = new Response("{");
      vi.spyOn(broken, "text").mockRejectedValue(new DOMException("aborted", "AbortError"));
      return broken;
    };
    await expect(list()).rejects.not.toThrow(ApiError);
    expect(notices).toEqual([]);
  });
});

describe("the end of a session", () => {
  const sums = () => call(recordRoutes.list, { query: { page: 1, size: 20 } });

  it("asks to sign in once for any number of failed calls, and again only for a later call", async () => {
    answer = envelope(50014, null, "登录已过期");
    await Promise.allSettled([list(), list(), sums(), sums(), list()]);
    await settled(list());
    expect(notices).toEqual(["<relogin>"]);

    // This call is sent before the operator chooses to stay, and answered afterwards.
    const { promise, resolve } = held<Response>();
    answer = () => promise;
    const early = settled(list());
    await vi.waitFor(() => expect(asked().url).toContain("act/list"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    stayedOnPage();
    resolve(envelope(50012)());
    await early;
    expect(notices).toEqual(["<relogin>"]);

    await new Promise((resolve) => setTimeout(resolve, 5));
    answer = envelope(50008);
    await settled(call(recordRoutes.list, { query: { page: 1, size: 20 } }, { background: true }));
    expect(notices).toEqual(["<relogin>"]);
    await settled(list());
    expect(notices).toEqual(["<relogin>", "<relogin>"]);
    stayedOnPage();
  });

  it("is reported again if it ended while a question from before was open", async () => {
    const asking = renderHook(() => useAskedProof()).result;
    answer = () => needing({});
    const removing = settled(call(activityRoutes.remove, { params: { id: 41 } }));
    await waitFor(() => expect(asking.current).not.toBeNull());
    stayedOnPage();
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer = envelope(50014);
    await act(async () => await asking.current?.give({ code: "123456" }));
    await removing;
    expect(notices).toEqual(["<relogin>"]);
    stayedOnPage();
  });

  it("signs out once on 401, without a toast", async () => {
    answer = envelope(401, null, "请先登录");
    await Promise.allSettled([list(), sums(), list()]);
    expect(notices).toEqual(["<signed out>"]);
  });
});
