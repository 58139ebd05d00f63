import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Dialog } from "./dialog.tsx";
import { watchFocus } from "./focus-return.ts";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

beforeAll(() => watchFocus());
// The library gives every layer of a test the same name, so that they could not be told apart.
beforeEach(() => vi.stubEnv("NODE_ENV", "development"));
afterEach(() => {
  cleanup();
  vi.unstubAllEnvs();
});

function button(name: string): HTMLElement {
  return screen.getByRole("button", { name });
}

async function opened(name: string): Promise<void> {
  const opener = button(name);
  opener.focus();
  fireEvent.click(opener);
  await screen.findByRole("dialog");
}

/** Waits until the dialog has the focus, then does what closes it. */
async function closed(name = "关闭窗口"): Promise<void> {
  const way = button(name);
  await act(async () => way.focus());
  fireEvent.click(way);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

async function focusOn(name: string): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(button(name)));
}

interface LayerProps {
  title: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Gone at once when it is closed, as the pages have it. */
function Layer({ title, onClose, children }: LayerProps) {
  return (
    <Dialog open title={title} closable={false} footer={null}>
      <button type="button" onClick={onClose}>
        关闭{title}
      </button>
      {children}
    </Dialog>
  );
}

interface RowsProps {
  /** What the act leaves of the rows and of their buttons. */
  after: readonly string[];
  without?: boolean;
}

function Rows({ after, without = false }: RowsProps) {
  const [names, setNames] = useState<readonly string[]>(["甲", "乙", "丙"]);
  const [open, setOpen] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  // Known a while after the dialog has closed, as the answer of a call is.
  useEffect(() => {
    const answer = () => {
      setNames(after);
      setDone(true);
    };
    window.addEventListener("answer", answer);
    return () => window.removeEventListener("answer", answer);
  }, [after]);
  return (
    <>
      <h1 tabIndex={-1}>奖品</h1>
      <table>
        <tbody>
          {names.map((name) => (
            <tr key={name} data-row-key={name}>
              <td>
                <button type="button">账号{name}</button>
              </td>
              <td>
                {!(done && without && name === "乙") && (
                  <button type="button" aria-label={`送达${name}`} onClick={() => setOpen(name)}>
                    送达
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open !== null && <Layer title="窗口" onClose={() => setOpen(null)} />}
      <p>{done ? "done" : "open"}</p>
    </>
  );
}

it.each([
  ["its opener", ["甲", "乙", "丙"], false, "送达乙"],
  ["the row, where its button is gone", ["甲", "乙", "丙"], true, "账号乙"],
  ["the next row, where the row is gone", ["甲", "丙"], false, "送达丙"],
  ["the last row, where none comes after it", ["甲"], false, "送达甲"],
])("goes back to %s", async (_, after, without, name) => {
  render(<Rows after={after} without={without} />);
  await opened("送达乙");
  await closed();
  await focusOn("送达乙");
  fireEvent(window, new Event("answer"));
  await screen.findByText("done");
  await waitFor(() => expect(document.activeElement).toBe(button(name)));
});

it("goes to the heading of the page when no row is left", async () => {
  render(<Rows after={[]} />);
  await opened("送达乙");
  await closed();
  fireEvent(window, new Event("answer"));
  await screen.findByText("done");
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })),
  );
});

it("leaves alone who has gone on", async () => {
  render(<Rows after={["甲", "丙"]} />);
  await opened("送达乙");
  await closed();
  await focusOn("送达乙");
  fireEvent.pointerDown(document.body);
  fireEvent(window, new Event("answer"));
  await screen.findByText("done");
  expect(document.activeElement).toBe(document.body);
});

function Page({ first = null }: { first?: "one" | null }) {
  const [open, setOpen] = useState<"one" | "two" | null>(first);
  const [started, setStarted] = useState(false);
  return (
    <>
      <h1 tabIndex={-1}>活动</h1>
      <div>
        {started ? (
          <button key="stop" type="button">
            停止
          </button>
        ) : (
          <button key="start" type="button" onClick={() => setOpen("one")}>
            开始
          </button>
        )}
      </div>
      {open === "one" && (
        <Layer title="窗口" onClose={() => setOpen(null)}>
          <button type="button" onClick={() => setOpen("two")}>
            保存
          </button>
          <button
            type="button"
            onClick={() => {
              setOpen(null);
              setStarted(true);
            }}
          >
            确认
          </button>
        </Layer>
      )}
      {open === "two" && <Layer title="报告" onClose={() => setOpen(null)} />}
    </>
  );
}

it("goes to the heading of the page when the dialog came with the address", async () => {
  render(<Page first="one" />);
  await screen.findByRole("dialog");
  await closed();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })),
  );
});

it("goes to what has come in the place of the opener", async () => {
  render(<Page />);
  await opened("开始");
  await closed("确认");
  await waitFor(() => expect(document.activeElement).toBe(button("停止")));
});

it("stays with the dialog that a save has opened, and then goes back past both", async () => {
  render(<Page />);
  await opened("开始");
  button("保存").focus();
  fireEvent.click(button("保存"));
  const report = await screen.findByRole("dialog", { name: "报告" });
  await act(async () => report.focus());
  // What the first one leaves behind would have moved the focus by now.
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(document.activeElement).toBe(report);
  await closed("关闭报告");
  await focusOn("开始");
});
