/** Entry of the console: language, theme and router; everything else is loaded by the routes. */
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { THEME_COLOUR } from "@red/contract/limits";
import { router } from "#app/router.tsx";
import { onNotice } from "#lib/notices.ts";
import { followTheme } from "#lib/preferences.ts";
import { signOutAndReload } from "#lib/session.ts";
import { applyPalette } from "#ui/palette.ts";
import "./styles.css";

followTheme((mode) => applyPalette(mode, THEME_COLOUR));
onNotice("signed_out", () => void signOutAndReload());

const root = document.querySelector("#root");
if (root === null) {
  throw new Error("index.html has no #root");
}
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
