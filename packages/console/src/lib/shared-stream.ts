/**
 * Shares one stream among all tabs of a browser. Over HTTP/1.1 a browser opens only six connections to a host, and a
 * stream per tab would use them up. The tabs tell each other which topics they show. One tab is the leader: it holds
 * the stream and passes the news to the other tabs. Another tab takes over when the leader is closed, silent or hidden
 * for long. The Web Locks API could elect the leader, but does not work over plain http. Without BroadcastChannel each
 * tab is its own leader.
 */
import { TOPICS_MAX, watchRoutes } from "@red/contract/watch/watch";
import { addressOf, requestOf } from "./api.ts";

const LOOK_MS = 1_000;
/** The other tabs answer a new tab within this time. */
const GREETING_MS = 250;
/** The timers of a hidden tab run once a second, and may be a second late. */
const SILENT_MS = 3_500;
/** More than two heartbeats of the server. A connection that broke while the laptop slept sends no heartbeat. */
const QUIET_MS = 35_000;
const HIDDEN_MS = 60_000;
const WAIT_MAX_MS = 15_000;
const EVENT = /^event: (.*)\ndata: (.*)$/;

/** State of a tab. The tab sends it to the other tabs every second and after each change. */
export interface Beat {
  readonly from: string;
  /** Empty if the tab is hidden for long or is closing. */
  readonly topics: readonly string[];
  readonly leads: boolean;
  /** Topics that the leader keeps up to date. */
  readonly live: readonly string[];
}

/** Callbacks of a page that follows a topic. */
export interface Listener {
  readonly topic: string;
  readonly take: (json: string) => void;
  readonly setLive: (isLive: boolean) => void;
  /** Called when the stream has ended. A later call of the page shows whether the server rejected the stream. */
  readonly ended: () => void;
}

interface News {
  readonly topic: string;
  readonly json: string;
}
type Message = Beat | News | { readonly ended: true };

/**
 * Returns the tab that leads. If several tabs lead, or none does, the tab with the first name is chosen. Undefined
 * while no tab shows a topic.
 */
export function leaderOf(tabs: readonly Beat[]): Beat | undefined {
  const awake = tabs.filter(({ topics }) => topics.length > 0);
  const leading = awake.filter(({ leads }) => leads);
  const first = (one: Beat, other: Beat) => (one.from < other.from ? one : other);
  const among = leading.length > 0 ? leading : awake;
  return among.length > 0 ? among.reduce(first) : undefined;
}

/** Yields the events of a stream until the stream ends. A heartbeat is an empty event. */
async function* eventsOf(topics: string, signal: AbortSignal) {
  const { path } = watchRoutes.stream;
  const request = requestOf(watchRoutes.stream, {}, { signal });
  const { body } = await fetch(`${await addressOf(path)}?topics=${topics}`, request);
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    const blocks = `${rest}${decoder.decode(part.value, { stream: true })}`.split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks.map((block) => EVENT.exec(block) ?? []);
  }
}

/** The stream of this tab while the tab is the leader. */
function openLink(heard: (news: News) => void, ended: () => void) {
  let [aborts, topics, heardAt, nextAt, wait] = [null as AbortController | null, "", 0, 0, LOOK_MS];
  /** Last news of each topic, from this stream or from the stream that it replaced without a gap. */
  const newest = new Map<string, string>();

  function drop(): void {
    aborts?.abort();
    aborts = null;
    newest.clear();
  }

  async function read({ signal }: AbortController): Promise<void> {
    for await (const [, topic = "", json = ""] of eventsOf(topics, signal)) {
      heardAt = Date.now();
      if (!signal.aborted && topics.split(",").includes(topic)) {
        wait = LOOK_MS;
        newest.set(topic, json);
        heard({ topic, json });
      }
    }
  }

  async function open(wanted: string): Promise<void> {
    aborts?.abort();
    const own = new AbortController();
    aborts = own;
    topics = wanted;
    heardAt = Date.now();
    [...newest.keys()].forEach(
      (one) => void (topics.split(",").includes(one) || newest.delete(one)),
    );
    await read(own).catch(() => null);
    if (aborts === own) {
      drop();
      nextAt = Date.now() + wait;
      wait = Math.min(2 * wait, WAIT_MAX_MS);
      ended();
    }
  }

  /** Opens the stream. Replaces it if it is silent or has other topics. */
  function hold(wanted: string): void {
    const now = Date.now();
    if (aborts !== null && now - heardAt > QUIET_MS) {
      drop();
    }
    if (aborts === null ? now >= nextAt : topics !== wanted) {
      void open(wanted);
    }
  }

  return { hold, drop, newest };
}

/** Tracks the other tabs with the same `name` by their last message. */
function meetTabs(name: string) {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  const others = new Map<string, { beat: Beat; at: number }>();

  /** Returns the tabs that show a topic and are not silent. */
  function beats(): Beat[] {
    const since = Date.now() - SILENT_MS;
    const heard = [...others.values()].filter(({ at }) => at >= since);
    return heard.map(({ beat }) => beat);
  }

  /** Returns whether the tab shows a new topic, or shows no topic any more. */
  function note(beat: Beat): { isNew: boolean; isGone: boolean } {
    const known = others.get(beat.from)?.beat.topics ?? [];
    const isGone = beat.topics.length === 0;
    void (isGone ? others.delete(beat.from) : others.set(beat.from, { beat, at: Date.now() }));
    return { isNew: beat.topics.some((topic) => !known.includes(topic)), isGone };
  }

  return {
    greetingMs: channel === null ? 0 : GREETING_MS,
    beats,
    note,
    tell: (message: Message) => channel?.postMessage(message),
    hear: (take: (message: Message) => void) =>
      channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => take(data)),
    close: () => channel?.close(),
  };
}

/** Adds this tab to the tabs with the same `name`. */
function joinTabs(name: string) {
  const me = `${Date.now()}-${Math.random()}`;
  const tabs = meetTabs(name);
  const listeners = new Set<Listener>();
  const electsAt = Date.now() + tabs.greetingMs;
  let [seenAt, leads] = [0, false];

  const ended = () => listeners.forEach((one) => one.ended());
  const pass = ({ topic, json }: News) =>
    listeners.forEach((one) => void (one.topic === topic && one.take(json)));
  const heard = (news: News) => (pass(news), tabs.tell(news), show());
  const link = openLink(heard, () => (tabs.tell({ ended: true }), show(), ended()));

  function own(): Beat {
    const isResting = Date.now() - seenAt > HIDDEN_MS;
    const topics = isResting ? [] : [...new Set([...listeners].map(({ topic }) => topic))];
    return { from: me, topics, leads, live: leads ? [...link.newest.keys()] : [] };
  }

  function mark(): void {
    const live = leaderOf([...tabs.beats(), own()])?.live ?? [];
    listeners.forEach((one) => one.setLive(live.includes(one.topic)));
  }

  const show = () => (mark(), tabs.tell(own()));

  function look(): void {
    seenAt = document.hidden ? seenAt : Date.now();
    const present = [...tabs.beats(), own()];
    leads = Date.now() >= electsAt && leaderOf(present)?.from === me;
    if (leads) {
      const wanted = [...new Set(present.flatMap(({ topics }) => topics))].toSorted();
      link.hold(wanted.slice(0, TOPICS_MAX).join());
    } else {
      link.drop();
    }
    show();
  }

  tabs.hear((message) => {
    if ("from" in message) {
      const { isNew, isGone } = tabs.note(message);
      if (isNew && leads) {
        link.newest.forEach((json, topic) => tabs.tell({ topic, json }));
      }
      const then = isNew || isGone ? look : mark;
      then();
    } else if ("topic" in message) {
      pass(message);
    } else {
      ended();
    }
  });
  const timers = [setInterval(look, LOOK_MS), setTimeout(look, tabs.greetingMs)];
  const leave = () => {
    timers.forEach((timer) => clearInterval(timer));
    // Tells the other tabs that this tab shows nothing, so that another tab becomes the leader.
    look();
    tabs.close();
  };
  return { listeners, look, leave };
}

const joined = new Map<string, ReturnType<typeof joinTabs>>();

/** Follows a topic together with all tabs of the same `name`. Returns a function that stops following. */
export function hearTopic(name: string, listener: Listener): () => void {
  const tabs = joined.get(name) ?? joinTabs(name);
  joined.set(name, tabs);
  tabs.listeners.add(listener);
  tabs.look();
  return () => {
    tabs.listeners.delete(listener);
    listener.setLive(false);
    if (tabs.listeners.size === 0) {
      joined.delete(name);
      tabs.leave();
    }
  };
}
