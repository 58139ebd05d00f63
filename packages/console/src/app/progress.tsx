import { useRouterState } from "@tanstack/react-router";

export function Progress() {
  const underWay = useRouterState({ select: ({ status }) => status === "pending" });
  return underWay ? <div className="s-progress" /> : null;
}
