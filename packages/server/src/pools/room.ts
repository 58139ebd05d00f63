import { poolsCalls } from "@red/contract/pools/room";
import { room } from "#platform/http/room";
import { poolHandlers } from "./pool-routes.ts";
import { prizeHandlers } from "./prize-routes.ts";

export const poolsRoom = room(poolsCalls, () => ({ pool: poolHandlers, prize: prizeHandlers }));
