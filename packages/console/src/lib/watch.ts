/** How it goes, live: a page's reading is kept new by a stream (contract/watch.ts) that comes back by itself. */
import type { Data, Input, Route } from "@red/contract/route";
import { watchRoutes } from "@red/contract/watch";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { addressOf, ApiError, call, isFault, requestOf } from "./api.ts";
import { queryClient, queryOf } from "./query.ts";

const LOOK_MS = 1_000;
/** More than two heartbeats: a connection that died while the laptop slept is silent. */
const QUIET_MS = 35_000;
const HIDDEN_MS = 60_000;
const WAIT_MAX_MS = 15_000;
const EVENT = /^event: (.*)\ndata: (.*)$/;

/** What a stream sends until it ends; heartbeats are empty. */
async function* eventsOf(topic: string, signal: AbortSignal) {
  const { path } = watchRoutes.stream;
  const request = requestOf(watchRoutes.stream, {}, { signal });
  const { body } = await fetch(`${await addressOf(path)}?topics=${topic}`, request);
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    const blocks = `${rest}${decoder.decode(part.value, { stream: true })}`.split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks.map((block) => EVENT.exec(block) ?? []);
  }
}

/** What the route answers, as new as the topic while `isLive`; no data once the call is refused. */
export function useWatch<R extends Route>(topic: string, route: R, input: Input<R>) {
  const of = queryOf(route, input);
  // The page itself says what is wrong; the end of the session is shown as everywhere.
  const queryFn = () => call(route, input, { background: true });
  const query = useQuery({ ...of, queryFn });
  const { error, refetch } = query;
  const [isLive, setLive] = useState(false);
  const isRefused = error instanceof ApiError && !isFault(error);
  const take = useEffectEvent((json: string) => {
    // Parsed by the route's own schema.
    queryClient.setQueryData(of.queryKey, route.data.parse(JSON.parse(json)) as Data<R>);
    setLive(true);
  });
  useEffect(() => {
    let link: AbortController | null = null;
    let [heardAt, seenAt, nextAt, wait] = [0, 0, 0, LOOK_MS];
    const drop = () => {
      link?.abort();
      link = null;
      setLive(false);
    };
    const read = async ({ signal }: AbortController) => {
      for await (const [, event, data = ""] of eventsOf(topic, signal)) {
        heardAt = Date.now();
        if (event === topic && !signal.aborted) {
          wait = LOOK_MS;
          take(data);
        }
      }
    };
    const open = async () => {
      const own = new AbortController();
      link = own;
      await read(own).catch(() => null);
      if (link === own) {
        drop();
        nextAt = Date.now() + wait;
        wait = Math.min(2 * wait, WAIT_MAX_MS);
        // Finds out whether the server ended it by a refusal.
        void refetch();
      }
    };
    const look = () => {
      const now = Date.now();
      seenAt = document.hidden ? seenAt : now;
      if (link !== null && (now - heardAt > QUIET_MS || now - seenAt > HIDDEN_MS)) {
        drop();
      }
      if (link === null && seenAt === now && now >= nextAt && !isRefused) {
        heardAt = now;
        void open();
      }
    };
    const timer = setInterval(look, LOOK_MS);
    look();
    return () => {
      clearInterval(timer);
      drop();
    };
  }, [topic, isRefused, refetch]);
  return { query, data: isRefused ? undefined : query.data, isLive };
}
