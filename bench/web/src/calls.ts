/** The console's calls, without any layer around them. */

export interface Activity {
  readonly id: number;
  readonly rounds_name: string;
  readonly tag: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly pool_name: string;
  readonly condition_name: string;
  readonly condition_formula: string;
  readonly condition_type: string;
  readonly condition_value: string;
  readonly condition_times: number;
  readonly turnover: number;
  readonly achieve_start_time: string;
  readonly achieve_end_time: string;
  readonly rounds_status: 0 | 1;
  readonly red_code: string;
}

export interface Activities {
  readonly content: readonly Activity[];
  readonly total: number;
}

export interface Pool {
  readonly pool_name: string;
  readonly prizes: number;
}

export interface Code {
  readonly red_code: string;
  readonly label: string;
}

let token: Promise<string> | null = null;

async function answerOf<T>(path: string, headers: Record<string, string>): Promise<T> {
  const response = await fetch(path, { headers, credentials: "include" });
  // The bench reads a server that it started itself.
  const { data } = (await response.json()) as { data: T };
  return data;
}

/** A read; the first one also asks who the caller is, as the console does. */
export async function ask<T>(path: string): Promise<T> {
  token ??= answerOf<{ request_token: string }>("/gred/api/user/info", {}).then(
    (user) => user.request_token,
  );
  return await answerOf<T>(path, { token: await token });
}
