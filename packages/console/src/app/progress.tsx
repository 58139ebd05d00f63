/** A thin line at the very top while a page is on its way; a quick one never shows it. */
import { useRouterState } from "@tanstack/react-router";

export function Progress() {
  const underWay = useRouterState({ select: ({ status }) => status === "pending" });
  return underWay ? <div className="s-progress" /> : null;
}
