/**
 * The configuration that the server serves beside the console: the bases of both families of calls, time zone and title.
 * By default the console calls its own origin.
 */
import * as z from "zod/mini";

const schema = z.object({
  /** Prefix or host of `/gred/*`; empty = this origin. */
  gred_base: z.catch(z.string(), ""),
  /** Prefix or host of `/red/*` and of the login call; empty = this origin. */
  red_base: z.catch(z.string(), ""),
  time_zone: z.catch(z.string(), "Asia/Shanghai"),
  title: z.catch(z.string(), "red packet"),
});
export type Config = z.output<typeof schema>;

let config: Config = schema.parse({});
let loading: Promise<Config> | null = null;

async function load(): Promise<Config> {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
    config = schema.parse(await response.json());
  } catch {
    // Unreachable, or not this JSON: keep the defaults. The first call will report the failure better.
  }
  return config;
}

export function loadConfig(): Promise<Config> {
  loading ??= load();
  return loading;
}

export function currentConfig(): Config {
  return config;
}
