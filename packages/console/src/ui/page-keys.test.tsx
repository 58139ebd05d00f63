import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { usePageKeys } from "./page-keys.ts";

const keys = {
  refresh: vi.fn<() => void>(),
  turn: vi.fn<(by: 1 | -1) => void>(),
  stop: vi.fn<() => void>(),
};
const help = vi.fn<() => void>();

function Screen({ layer = false }: { layer?: boolean }) {
  const page = useRef<HTMLDivElement>(null);
  usePageKeys(page, keys, help);
  return (
    <div ref={page}>
      <form role="search">
        <input aria-label="账号" defaultValue="player01" />
        <input type="checkbox" aria-label="失败" />
      </form>
      <section className="k-panel" tabIndex={-1} aria-label="列表">
        <div role="tablist">
          <button type="button" role="tab">
            奖池
          </button>
        </div>
        <textarea aria-label="备注" />
      </section>
      {layer && <div aria-modal="true">对话框</div>}
    </div>
  );
}

beforeEach(() => {
  // The test's document has no layout; everything that is there counts as shown.
  vi.spyOn(Element.prototype, "getClientRects").mockReturnValue([{}] as unknown as DOMRectList);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  localStorage.clear();
});

/** Presses a key; answers whether the page took it. */
function press(key: string, on: Element = document.body, more: object = {}): boolean {
  return !fireEvent.keyDown(on, { key, ...more });
}

it("refreshes, turns pages, tells its keys and goes to the first filter", () => {
  render(<Screen />);
  expect([press("r"), press("?"), press("ArrowRight"), press("ArrowLeft")]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(keys.refresh).toHaveBeenCalledOnce();
  expect(help).toHaveBeenCalledOnce();
  expect(keys.turn.mock.calls).toEqual([[1], [-1]]);
  expect(press("/")).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText("账号"));
});

it("leaves keys to fields, but Esc leaves the filters", () => {
  render(<Screen />);
  const field = screen.getByLabelText("账号");
  const note = screen.getByLabelText("备注");
  for (const key of ["r", "/", "?", "ArrowLeft", "PageDown"]) {
    expect([key, press(key, field), press(key, note)]).toEqual([key, false, false]);
  }
  expect(press("Escape", note)).toBe(false);
  expect(press("Escape", field)).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText("列表"));
  expect(press("r", screen.getByLabelText("失败"))).toBe(true);
});

it("leaves keys to what is nearer, to the browser, and to input methods", () => {
  const view = render(<Screen />);
  expect(press("ArrowRight", screen.getByRole("tab"))).toBe(false);
  expect(press("r", document.body, { ctrlKey: true })).toBe(false);
  expect(press("r", document.body, { metaKey: true })).toBe(false);
  expect(press("?", document.body, { isComposing: true })).toBe(false);
  expect(press("x")).toBe(false);
  view.rerender(<Screen layer />);
  expect(press("r")).toBe(false);
  expect(press("Escape")).toBe(false);
  expect(keys.refresh).not.toHaveBeenCalled();
});

it("stops waiting on Esc, and reads on to the next page where nothing scrolls", () => {
  render(<Screen />);
  expect(press("Escape")).toBe(true);
  expect(keys.stop).toHaveBeenCalledOnce();
  press("PageDown");
  press("PageUp");
  expect(keys.turn.mock.calls).toEqual([[1], [-1]]);
});

it("means nothing by single characters once they are switched off", () => {
  localStorage.setItem("single_keys", "off");
  render(<Screen />);
  expect([press("r"), press("/"), press("?")]).toEqual([false, false, false]);
  expect(press("ArrowRight")).toBe(true);
});
