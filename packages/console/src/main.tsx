/** Entry of the console: language, theme and router; the routes load everything else. */
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "#app/router.tsx";
import { recordFault, watchFaults } from "#lib/faults.ts";
import { onNotice } from "#lib/notices.ts";
import { followTheme } from "#lib/preferences.ts";
import { signOutAndReload } from "#lib/session.ts";
import { watchFocus } from "#ui/focus-return.ts";
import { applyPalette } from "#ui/palette.ts";
import "./styles.css";

followTheme(applyPalette);
watchFaults();
watchFocus();
onNotice("signed_out", () => void signOutAndReload());

const root = document.querySelector("#root");
if (root === null) {
  throw new Error("index.html has no #root");
}

function onRenderFault(error: unknown, info: { componentStack?: string | undefined }): void {
  recordFault(error, info.componentStack);
  // oxlint-disable-next-line no-console -- for developers
  console.error(error);
}

createRoot(root, { onCaughtError: onRenderFault, onUncaughtError: onRenderFault }).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
