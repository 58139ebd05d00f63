/** Row types of the tables of players, exclusions, extra times and sealed identities; the others are in schema.ts. */
import type { ExclusionKind } from "@red/contract/lookups";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface PlayerTable {
  player_key: GeneratedAlways<number>;
  player_id: string;
  user_name: string;
  user_name_key: GeneratedAlways<string>;
  blocked: Generated<boolean>;
  blocked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  version: Generated<number>;
  draw_version: Generated<number>;
  /** The driver reads `infinity` as a number; compare it in SQL. */
  excluded_until: ColumnType<Date | number | null, Date | null | undefined, Date | null>;
  erased_at: ColumnType<Date | null, never, Date | null>;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

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

export interface PlayerSaltTable {
  player_key: number;
  salt: Buffer;
}

export interface ErasedCommitmentTable {
  player_key: number;
  rounds_id: number;
  commitment: Buffer;
}
