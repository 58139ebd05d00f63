/** Row types of the tables of exclusions and extra times; the others are in schema.ts. */
import type { ExclusionKind } from "@red/contract/lookups";
import type { ColumnType, GeneratedAlways } from "kysely";

export interface ExclusionTable {
  id: GeneratedAlways<number>;
  player_key: number;
  kind: ExclusionKind;
  reason: string;
  source: "operator" | "file";
  /** Its second is included; null: without end. */
  until: Date | null;
  made_by: string;
  made_at: ColumnType<Date, Date | undefined, Date>;
  lifted_by: string | null;
  lifted_at: Date | null;
  lift_reason: string | null;
}

export interface ExtraTimeTable {
  id: GeneratedAlways<number>;
  player_key: number;
  tag: string;
  expire_time: Date;
  granted_by: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  used_log_id: number | null;
  used_rounds_id: number | null;
  batch_id: number | null;
}

export interface ExtraTimeTakenBackTable {
  id: number;
  player_key: number;
  tag: string;
  expire_time: Date;
  granted_by: string;
  created_at: Date;
  batch_id: number | null;
  taken_back_at: Date;
  taken_back_by: string;
  reason: string;
}
