/** Every screen with the states in which its facts show: a new screen is a line here. */
import { activityStates, editorStates } from "./activity-states.ts";
import { guardStates, loginStates } from "./login-states.ts";
import { eventStates, extraTimesStates, playerStates } from "./player-states.ts";
import { importStates, prizeDialogStates, prizeStates } from "./prize-states.ts";
import { queryStates, recordStates } from "./record-states.ts";
import type { States } from "./scene.ts";
import { errorStates, settingsStates, shellStates } from "./shell-states.ts";

export const SCREENS: Readonly<Record<string, States>> = {
  login: loginStates,
  guard: guardStates,
  shell: shellStates,
  settings: settingsStates,
  "error pages": errorStates,
  activities: activityStates,
  "activity editor": editorStates,
  prizes: prizeStates,
  "prize dialog": prizeDialogStates,
  import: importStates,
  records: recordStates,
  query: queryStates,
  players: playerStates,
  events: eventStates,
  "extra times": extraTimesStates,
};
