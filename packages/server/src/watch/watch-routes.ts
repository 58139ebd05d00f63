/** How it goes: one reading, or a stream of them (behaviour §14). */
import type { watchRoutes } from "@red/contract/watch";
import type { Db } from "#platform/connection";
import type { Handlers } from "#platform/handlers";
import { boardReader, readOverview } from "./read-watch.ts";
import { openTopics } from "./topics.ts";
import type { Log, Topic } from "./topics.ts";

/** `db` needs no more than one connection. */
export function watchHandlers(db: Db, timeZone: string, log: Log): Handlers<typeof watchRoutes> {
  const topics = openTopics(log);
  const readBoard = boardReader(db, timeZone);
  const overview = { key: "overview", read: () => readOverview(db, timeZone) };
  const board = (id: number) => ({ key: `board:${id}`, read: () => readBoard(id) });
  /** A topic of the operator's own would take the operator here. */
  const topicOf = (name: string): Topic =>
    name === overview.key ? overview : board(Number(name.split(":")[1]));
  return {
    overview: async () => ({ data: await topics.latest(overview) }),
    board: async ({ query }) => ({ data: await topics.latest(board(query.activity)) }),
    stream: async ({ query }) => {
      const names = [...new Set(query.topics.split(","))];
      await Promise.all(names.map((name) => topics.latest(topicOf(name))));
      return (sink) => {
        const leaves = names.map((name) => topics.listen(topicOf(name), name, sink));
        return () => leaves.forEach((leave) => leave());
      };
    },
  };
}
