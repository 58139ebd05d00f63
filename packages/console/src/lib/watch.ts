/** Live data: a stream (contract/watch/watch.ts) that reconnects by itself keeps the data of a page up to date. */
import type { Data, Input, Route } from "@red/contract/platform/route";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { ApiError, call, isFault } from "./api.ts";
import { useLanguage } from "./language.ts";
import { queryClient, queryOf } from "./query.ts";
import { useUser } from "./session.ts";
import { hearTopic } from "./shared-stream.ts";

/** The route's data, up to date with the topic while `isLive`. No data once the call was refused. */
export function useWatch<R extends Route>(topic: string, route: R, input: Input<R>) {
  const of = queryOf(route, input);
  // The page shows a failure itself; the end of the session is shown as everywhere.
  const queryFn = () => call(route, input, { background: true });
  const query = useQuery({ ...of, queryFn });
  const { error, refetch } = query;
  const [isLive, setLive] = useState(false);
  const isRefused = error instanceof ApiError && !isFault(error);
  const take = useEffectEvent((json: string) => {
    // Parsed by the route's own schema.
    queryClient.setQueryData(of.queryKey, route.data.parse(JSON.parse(json)) as Data<R>);
  });
  // Tabs of one operator, language and release share a stream; a script's address contains its release.
  const heardBy = [useUser().name, useLanguage(), import.meta.url].join(" ");
  useEffect(() => {
    const ended = () => void refetch();
    return isRefused ? () => {} : hearTopic(heardBy, { topic, take, setLive, ended });
  }, [heardBy, topic, isRefused, refetch]);
  return { query, data: isRefused ? undefined : query.data, isLive };
}
