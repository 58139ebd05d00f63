/**
 * One stream for all tabs of a browser: it opens six connections to a host over HTTP/1.1, and a stream in each tab would
 * take them all. Tabs tell each other what they show; one leads, holds the stream for all and passes on what it hears. It
 * gives way when it rests, is closed or falls silent. Locks would choose the leader, but plain http has none. Without
 * BroadcastChannel each tab leads itself.
 */
import { TOPICS_MAX, watchRoutes } from "@red/contract/watch/watch";
import { addressOf, requestOf } from "./api.ts";

const LOOK_MS = 1_000;
/** Tabs that are there answer a new one within this time. */
const GREETING_MS = 250;
/** Timers of a hidden tab come once a second, at times a second late. */
const SILENT_MS = 3_500;
/** More than two heartbeats of the server: a connection that died while the laptop slept is silent. */
const QUIET_MS = 35_000;
const HIDDEN_MS = 60_000;
const WAIT_MAX_MS = 15_000;
const EVENT = /^event: (.*)\ndata: (.*)$/;

/** What a tab tells the others each second and when it changes. */
export interface Beat {
  readonly from: string;
  /** None: it rests, or leaves. */
  readonly topics: readonly string[];
  readonly leads: boolean;
  /** Topics that the leader keeps new. */
  readonly live: readonly string[];
}

/** What a page gives to hear a topic. */
export interface Listener {
  readonly topic: string;
  readonly take: (json: string) => void;
  readonly setLive: (isLive: boolean) => void;
  /** The stream has ended; a call tells whether by a refusal. */
  readonly ended: () => void;
}

interface News {
  readonly topic: string;
  readonly json: string;
}
type Message = Beat | News | { readonly ended: true };

/** Who leads keeps leading; of several, or of none, the first by name. Undefined while nobody shows anything. */
export function leaderOf(tabs: readonly Beat[]): Beat | undefined {
  const awake = tabs.filter(({ topics }) => topics.length > 0);
  const leading = awake.filter(({ leads }) => leads);
  const first = (one: Beat, other: Beat) => (one.from < other.from ? one : other);
  const among = leading.length > 0 ? leading : awake;
  return among.length > 0 ? among.reduce(first) : undefined;
}

/** What a stream sends until it ends; heartbeats are empty. */
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

/** The stream of this tab while it leads. */
function openLink(heard: (news: News) => void, ended: () => void) {
  let [aborts, topics, heardAt, nextAt, wait] = [null as AbortController | null, "", 0, 0, LOOK_MS];
  /** Of now by the present stream, or by the one it follows at once. */
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

  /** Opens, renews or leaves it as it is. */
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

/** The other tabs that say the same `name`, by what each said last. */
function meetTabs(name: string) {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  const others = new Map<string, { beat: Beat; at: number }>();

  /** Of tabs that show something and are not silent. */
  function beats(): Beat[] {
    const since = Date.now() - SILENT_MS;
    const heard = [...others.values()].filter(({ at }) => at >= since);
    return heard.map(({ beat }) => beat);
  }

  /** Whether it shows what it did not show before, or nothing any more. */
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

/** This tab among those that say the same `name`. Answers how to add a page, and how to leave. */
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
    // Shows nothing any more: the others hear so, and one of them leads.
    look();
    tabs.close();
  };
  return { listeners, look, leave };
}

const joined = new Map<string, ReturnType<typeof joinTabs>>();

/** Hears a topic with all tabs that say the same `name`. Answers how to stop. */
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
