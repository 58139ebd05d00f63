/** What is around every page of the console: a router, and the library's messages and questions. */
import { RouterContextProvider, createRootRoute, createRouter } from "@tanstack/react-router";
import { App as Messages } from "antd";
import type { ReactNode } from "react";

const router = createRouter({ routeTree: createRootRoute() });

export function App({ children }: { children: ReactNode }) {
  return (
    <RouterContextProvider router={router}>
      <Messages>{children}</Messages>
    </RouterContextProvider>
  );
}
