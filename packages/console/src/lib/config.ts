/**
 * Loads the configuration that the server provides beside the console: the base URLs of both groups of calls, the time
 * zone and the title. By default the console calls its own origin.
 */
import * as z from "zod/mini";

const schema = z.object({
  /** Prefix or host of `/gred/*`. Empty means the origin of the console. */
  gred_base: z.catch(z.string(), ""),
  /** Prefix or host of `/red/*` and of the login call. Empty means the origin of the console. */
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
    // If the file is unreachable or has another format, the defaults stay. The first call will report the failure more
    // clearly.
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
