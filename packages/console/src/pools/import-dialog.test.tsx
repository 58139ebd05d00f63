import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
// This import registers the texts of the dialog that asks for a code.
import "#stops/stops.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { prizeRoutes } from "@red/contract/pools/prize";
import { renderApp } from "#test/app.tsx";
import { held, needing, serve, serveValue } from "#test/server.ts";

/** Records each call with its file. `answer` resolves the last call. */
const calls: string[] = [];
let answer = held();

function serveFile(route: typeof prizeRoutes.previewImport | typeof prizeRoutes.importFile): void {
  serve(route, async ({ url, body }) => {
    const file = body instanceof FormData ? body.get("poolFile") : null;
    calls.push(`${url.split("/").at(-1)} ${file instanceof File ? file.name : ""}`);
    answer = held();
    await answer.promise;
    return { added: 1, updated: 0, unchanged: 0, plan: "p", errors: [], pools: [] };
  });
}

function drop(name: string): void {
  const files = { item: () => new File(["x"], name) };
  fireEvent.drop(screen.getByRole("button", { name: /选择/ }), { dataTransfer: { files } });
}

it("takes no other file while one is checked or saved", async () => {
  serveFile(prizeRoutes.previewImport);
  serveFile(prizeRoutes.importFile);
  renderApp(<ImportDialog pool_name="周末池" onClose={() => undefined} />);
  drop("a.csv");
  drop("b.csv");
  await waitFor(() => expect(calls).toEqual(["preview a.csv"]));
  drop("b.csv");
  await act(async () => answer.resolve());
  fireEvent.click(await screen.findByRole("button", { name: "导入" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  drop("b.csv");
  await act(async () => answer.resolve());
  expect(calls).toEqual(["preview a.csv", "import a.csv"]);
});

it("asks for a code before a costly import, and sends it with the same file", async () => {
  const done = { added: 1, updated: 0, unchanged: 0, plan: "p", errors: [], pools: [] };
  serve(prizeRoutes.previewImport, done);
  const answers = [needing({}), done];
  const sent = serve(prizeRoutes.importFile, () => answers.shift() ?? done);
  const valued = serveValue(prizeRoutes.importFile, () => ({ risk: "75000.00" }));
  const onClose = vi.fn<() => void>();
  renderApp(<ImportDialog pool_name="周末池" onClose={onClose} />);
  drop("a.csv");
  await screen.findByText("新增 1 种，更新 0 种");
  await screen.findByText("到结束最多多支出约 75,000.00");
  fireEvent.click(screen.getByRole("button", { name: /^导入/u }));
  fireEvent.change(await screen.findByLabelText("动态验证码"), { target: { value: "123456" } });
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent.map(({ code }) => code)).toEqual([undefined, "123456"]);
  const [form] = valued.map(({ body }) => Object.fromEntries(body as FormData));
  expect(form).toMatchObject({ pool_name: "周末池", plan: "p", poolFile: { name: "a.csv" } });
});
