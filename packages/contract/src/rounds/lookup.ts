/** All look-up tables, presets and limits of spec §3 and §9 in one response, with labels. */
import * as z from "zod/mini";
import { houseMoney, plain } from "#platform/marks";
import { operator, route } from "#platform/route";

const coded = z.array(z.object({ code: z.int(), label: plain() }));
const codedByText = z.array(z.object({ code: plain(), label: plain() }));

export const lookups = z.object({
  task_types: coded,
  platforms: coded,
  single_platforms: coded,
  channels: coded,
  clients: coded,
  rounds_status: coded,
  award_status: coded,
  apply: coded,
  condition_name: codedByText,
  condition_formula: codedByText,
  condition_type: codedByText,
  /** `code` is "formula,type,name", or only the name. */
  presets: z.array(
    z.object({
      code: plain(),
      label: plain(),
      condition_name: plain(),
      condition_formula: plain(),
      condition_type: plain(),
      condition_value: houseMoney(),
      condition_times: z.int(),
    }),
  ),
  turnover: z.array(z.int()),
  condition_times: z.array(z.int()),
  page_sizes: z.array(z.int()),
  page: z.int(),
  size: z.int(),
  /** Page sizes for the look-ups of pools, prizes and activities, and for activity names. */
  lookup_size: z.int(),
  activity_names_size: z.int(),
  upload_types: z.array(plain()),
  /** A file must be smaller than this number of bytes. */
  upload_bytes: z.int(),
  tag: plain(),
  red_code: plain(),
});
export type Lookups = z.output<typeof lookups>;

export const lookupRoutes = {
  all: route({
    call: "GET /gred/api/lookups",
    summary: "Look-up tables, presets, limits and defaults, labelled in the language asked for",
    ...operator("signed_in", "read"),
    data: lookups,
  }),
};
