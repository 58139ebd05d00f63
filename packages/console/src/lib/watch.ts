/** Live data: a stream keeps the data of a page up to date and reconnects by itself (contract/watch/watch.ts). */
import type { Data, Input, Route } from "@red/contract/platform/route";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { ApiError, call, isFault } from "./api.ts";
import { useLanguage } from "./language.ts";
import { queryClient, queryOf } from "./query.ts";
import { useUser } from "./session.ts";
import { hearTopic } from "./shared-stream.ts";

/**
 * Returns the data of the route. While `isLive`, the data is up to date with the topic. After the server rejects the
 * call there is no data.
 */
export function useWatch<R extends Route>(topic: string, route: R, input: Input<R>) {
  const of = queryOf(route, input);
  // The page shows errors of this call itself. The API layer still shows the end of the session.
  const queryFn = () => call(route, input, { background: true });
  const query = useQuery({ ...of, queryFn });
  const { error, refetch } = query;
  const [isLive, setLive] = useState(false);
  const isRefused = error instanceof ApiError && !isFault(error);
  const take = useEffectEvent((json: string) => {
    // The schema of this route parses the news.
    queryClient.setQueryData(of.queryKey, route.data.parse(JSON.parse(json)) as Data<R>);
  });
  // Tabs with the same operator, language and release share a stream. The address of a script contains its release.
  const heardBy = [useUser().name, useLanguage(), import.meta.url].join(" ");
  useEffect(() => {
    const ended = () => void refetch();
    return isRefused ? () => {} : hearTopic(heardBy, { topic, take, setLive, ended });
  }, [heardBy, topic, isRefused, refetch]);
  return { query, data: isRefused ? undefined : query.data, isLive };
}
