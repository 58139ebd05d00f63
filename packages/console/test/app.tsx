/**
 * Renders parts of the console with everything that a page needs: router, server state, messages, dialogs, and the
 * dialog that asks for a code.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider, createRootRoute, createRouter } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { App, ConfigProvider } from "antd";
import type { ReactNode } from "react";
import { AskedProof } from "#app/proof-question.tsx";
import { queryClient } from "#lib/query.ts";

const router = createRouter({ routeTree: createRootRoute() });
const THEME = { token: { motion: false } };

function Around({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }} theme={THEME}>
        <RouterContextProvider router={router}>
          <App>
            {children}
            <AskedProof />
          </App>
        </RouterContextProvider>
      </ConfigProvider>
    </QueryClientProvider>
  );
}

/** Renders a part of a page. `rerender` keeps the providers around the part. */
export function renderApp(part: ReactNode) {
  return render(part, { wrapper: Around });
}
