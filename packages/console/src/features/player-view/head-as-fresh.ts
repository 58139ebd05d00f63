/** Keeps the answers at the top as fresh as the rows below them: both speak of the same money (behaviour §6). */
import { useEffect } from "react";
import type { Query } from "@tanstack/react-query";
import { betRoutes } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { playerViewRoutes } from "@red/contract/player-view";
import { recordRoutes } from "@red/contract/record";
import { queryClient, queryOf } from "#lib/query.ts";

/** What the tabs ask for. */
const TAB_PATHS: readonly unknown[] = [
  playerViewRoutes.explain,
  recordRoutes.list,
  extraTimesRoutes.list,
  depositRoutes.list,
  betRoutes.list,
].map(({ path }) => path);

/** Rows that took no longer than this to come tell of the same moment as a head of when they were asked for. */
const SAME_MS = 1_000;

function namesPlayer(input: unknown, user_name: string): boolean {
  return (
    typeof input === "object" &&
    input !== null &&
    Object.values(input).some(
      (part: unknown) =>
        typeof part === "object" &&
        part !== null &&
        "user_name" in part &&
        part.user_name === user_name,
    )
  );
}

function isOfTab({ queryKey: [path, input] }: Query, user_name: string): boolean {
  return TAB_PATHS.includes(path) && namesPlayer(input, user_name);
}

/**
 * Asks for the head whenever a tab asks for its rows, and once more if they came much later than it.
 * Whoever calls it must be drawn together with the first tab: what that asks for as it is drawn comes
 * right behind the head and needs no other one.
 */
export function useHeadAsFresh(user_name: string): void {
  useEffect(() => {
    const { queryKey } = queryOf(playerViewRoutes.head, { query: { user_name } });
    const cache = queryClient.getQueryCache();
    const ask = () => {
      // One that is on its way is enough.
      void queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    };
    return cache.subscribe((event) => {
      if (event.type !== "updated" || !isOfTab(event.query, user_name)) {
        return;
      }
      if (event.action.type === "fetch") {
        // An act has several queries ask again, the head perhaps among them: all of that goes first.
        queueMicrotask(ask);
      } else if (event.action.type === "success") {
        const head = queryClient.getQueryState(queryKey);
        if (head !== undefined && Date.now() - head.dataUpdatedAt > SAME_MS) {
          ask();
        }
      }
    });
  }, [user_name]);
}
