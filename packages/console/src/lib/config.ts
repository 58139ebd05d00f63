/**
 * The configuration that the server serves beside the console: bases of both families of calls, and the
 * installation's name. Without it, the defaults make the console call its own origin.
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

const DEFAULTS: Config = schema.parse({});

let config: Config = DEFAULTS;
let loading: Promise<Config> | null = null;

async function load(): Promise<Config> {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
    const parsed = schema.safeParse(await response.json());
    config = parsed.success ? parsed.data : DEFAULTS;
  } catch {
    // Unreachable or no JSON: the first call will report it better.
    config = DEFAULTS;
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
