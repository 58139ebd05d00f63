import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Button, Drawer } from "antd";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hint } from "./hint.tsx";

// Under NODE_ENV=test the component library gives every layer the same id, so Esc would close the wrong layer.
beforeEach(() => vi.stubEnv("NODE_ENV", "development"));
afterEach(() => vi.unstubAllEnvs());

function Settings({ delay }: { delay: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Hint title="界面设置" mouseEnterDelay={delay}>
        <Button onClick={() => setOpen(true)}>打开面板</Button>
      </Hint>
      <Drawer open={open} title="面板" onClose={() => setOpen(false)} />
      <p>{open ? "panel is open" : "panel is closed"}</p>
    </>
  );
}

/** Presses Esc on the window, where open layers listen. */
function pressEsc(): void {
  fireEvent.keyDown(window, { key: "Escape" });
}

it.each([
  ["that is open", 0],
  ["that is about to open", 0.05],
])("Esc closes the layer that its button has opened: a hint %s", async (_, delay) => {
  render(<Settings delay={delay} />);
  const button = screen.getByRole("button", { name: "打开面板" });
  fireEvent.pointerEnter(button);
  fireEvent.mouseEnter(button);
  if (delay === 0) {
    await screen.findByText("界面设置");
  }
  fireEvent.click(button);
  await screen.findByText("面板");
  // Waits until the hint could have opened.
  await new Promise((resolve) => setTimeout(resolve, 150));
  pressEsc();
  await waitFor(() => expect(screen.getByText("panel is closed")).toBeTruthy());
});

it("opens again after the pointer has left", async () => {
  render(<Settings delay={0} />);
  const button = screen.getByRole("button", { name: "打开面板" });
  const isUp = () => document.querySelector(".ant-tooltip:not(.ant-tooltip-hidden)") !== null;
  fireEvent.pointerEnter(button);
  await waitFor(() => expect(isUp()).toBe(true));
  fireEvent.click(button);
  await waitFor(() => expect(isUp()).toBe(false));
  fireEvent.pointerLeave(button);
  fireEvent.pointerEnter(button);
  await waitFor(() => expect(isUp()).toBe(true));
});
