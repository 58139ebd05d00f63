import { stopsCalls } from "@red/contract/stops/room";
import { room } from "#platform/http/room";
import { stopSwitchHandlers } from "./stop-switch-routes.ts";

export const stopsRoom = room(stopsCalls, () => ({ stopSwitch: stopSwitchHandlers }));
