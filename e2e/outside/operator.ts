/** The operator's side: the calls of the specification, with an access token in the `token` header. */
import { dig, listAt, numberAt, parsed, textAt } from "./json.ts";

export interface Envelope {
  readonly http: number;
  readonly code: unknown;
  readonly msg: unknown;
  readonly data: unknown;
  readonly cookies: readonly string[];
  /** Of the call, as its rows in the log name it. */
  readonly request_id: string | null;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

export async function operatorCall(
  base: string,
  method: Method,
  path: string,
  body: object | null,
  token = "",
  code = "",
): Promise<Envelope> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(token === "" ? {} : { token }),
      ...(code === "" ? {} : { "x-code": code }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const envelope = parsed(await response.text());
  return {
    http: response.status,
    code: dig(envelope, "code"),
    msg: dig(envelope, "msg"),
    data: dig(envelope, "data"),
    cookies: response.headers.getSetCookie(),
    request_id: response.headers.get("x-request-id"),
  };
}

export interface RecordRow {
  readonly log_id: number;
  readonly trans_sn: string;
  readonly player_id: string;
  readonly award_name: string;
  readonly award_price: string;
  readonly award_status: number;
  readonly payout_state: string;
}

function recordRow(row: unknown): RecordRow {
  return {
    log_id: numberAt(row, "log_id"),
    trans_sn: textAt(row, "trans_sn"),
    player_id: textAt(row, "player_id"),
    award_name: textAt(row, "award_name"),
    award_price: textAt(row, "award_price"),
    award_status: numberAt(row, "award_status"),
    payout_state: textAt(row, "payout_state"),
  };
}

function sumRow(sum: unknown) {
  return {
    award_status: numberAt(sum, "award_status"),
    count: numberAt(sum, "count"),
    amount: textAt(sum, "amount"),
  };
}

/** Calls of one signed-in operator, with a one-time code where one is given; each throws unless the envelope says 200. */
export function operatorOf(base: string, token: string) {
  async function data(method: Method, path: string, body: object | null, code?: string) {
    const answer = await operatorCall(base, method, path, body, token, code);
    if (answer.http !== 200 || answer.code !== 200) {
      throw new Error(
        `${method} ${path} → ${answer.http} ${String(answer.code)} ${String(answer.msg)}`,
      );
    }
    return answer.data;
  }

  /** The records of one round or of all, newest first, as answered, with the sums. */
  async function book(rounds_id: number | null) {
    const rows: unknown[] = [];
    const filter = rounds_id === null ? "" : `&rounds_id=${rounds_id}`;
    for (let page = 1; ; page += 1) {
      const path = `/gred/api/record/list?page=${page}&size=1000${filter}`;
      const list = await data("GET", path, null);
      const content = listAt(list, "content");
      const total = numberAt(list, "total");
      rows.push(...content);
      if (content.length === 0 || rows.length >= total) {
        return { rows, total, sums: listAt(list, "sums").map(sumRow) };
      }
    }
  }

  const records = async (rounds_id: number | null): Promise<RecordRow[]> =>
    (await book(rounds_id)).rows.map(recordRow);

  return {
    data,
    /** Answers the bare envelope, for calls that must be refused. */
    call: (method: Method, path: string, body: object | null, code?: string) =>
      operatorCall(base, method, path, body, token, code),
    book,
    records,

    /** The states of a round's payouts, newest first. */
    states: async (rounds_id: number): Promise<string[]> =>
      (await records(rounds_id)).map(({ payout_state }) => payout_state),

    /** What is stopped, by name. */
    stops: async (): Promise<string[]> =>
      listAt(await data("GET", "/gred/api/stop", null), "content")
        .map((stop) => textAt(stop, "name"))
        .toSorted(),

    /** Extra times that an account has left. */
    leftTimes: async (user_name: string): Promise<number> => {
      const path = `/gred/api/extratimes/total?user_name=${encodeURIComponent(user_name)}`;
      return numberAt(await data("GET", path, null), "left_times");
    },

    prizes: async (pool_name: string): Promise<unknown[]> => {
      const query = `pool_name=${encodeURIComponent(pool_name)}&page=1&size=9999`;
      return listAt(await data("GET", `/gred/api/prize/list?${query}`, null), "content");
    },

    poolId: async (pool_name: string): Promise<number> => {
      const pools = listAt(await data("GET", "/gred/api/pool", null), "content");
      return numberAt(
        pools.find((pool) => dig(pool, "pool_name") === pool_name),
        "id",
      );
    },

    /** Saves a round as it is now, but for some fields. */
    async changeRound(id: number, changed: object): Promise<void> {
      const detail = await data("GET", `/gred/api/act/${id}/edit`, null);
      const { rounds_status: _status, ...form } = Object(detail);
      await data("PUT", `/gred/api/act/update/${id}`, { ...form, ...changed });
    },

    async lottimes(query: object): Promise<{ total: number; already: number; remain: number }> {
      const found = await data("POST", "/gred/api/userInfo/lottimes", query);
      return {
        total: numberAt(found, "total"),
        already: numberAt(found, "already"),
        remain: numberAt(found, "remain"),
      };
    },
  };
}

export type Operator = ReturnType<typeof operatorOf>;
