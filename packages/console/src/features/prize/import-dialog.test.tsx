import { QueryClientProvider } from "@tanstack/react-query";
import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { App, ConfigProvider } from "antd";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { PRIZE_TEXTS } from "./prize-texts.ts";

configure({ asyncUtilTimeout: 10_000 });

/** What was asked of which file, and the way to answer the last of it. */
const asked: string[] = [];
let answer: () => void = () => undefined;

const PREVIEW = { added: 1, updated: 0, unchanged: 0, plan: "p", errors: [], pools: [] };

async function fetched(url: string, { body }: RequestInit = {}): Promise<Response> {
  const file = body instanceof FormData ? body.get("poolFile") : null;
  if (file instanceof File) {
    asked.push(`${url.split("/").at(-1)} ${file.name}`);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
  }
  return Response.json({ code: 200, msg: "success", data: PREVIEW });
}

beforeAll(() => {
  addTexts("ui", UI_TEXTS);
  addTexts("prize", PRIZE_TEXTS);
  vi.stubGlobal("fetch", fetched);
});
afterEach(cleanup);

function drop(name: string): void {
  const files = { item: () => new File(["x"], name) };
  fireEvent.drop(screen.getByRole("button", { name: /选择/ }), { dataTransfer: { files } });
}

it("takes no other file while one is checked or saved: what is shown is what is saved", async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }}>
        <App>
          <ImportDialog pool_name="周末池" onClose={() => undefined} />
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
  drop("a.csv");
  drop("b.csv");
  await waitFor(() => expect(asked).toEqual(["preview a.csv"]));
  drop("b.csv");
  await act(async () => answer());
  fireEvent.click(await screen.findByRole("button", { name: "导入" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  drop("b.csv");
  await act(async () => answer());
  expect(asked).toEqual(["preview a.csv", "import a.csv"]);
});
