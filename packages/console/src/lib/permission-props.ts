import { tr } from "./language.ts";

/** Returns props that disable a control and say which permission is missing. */
export function permissionProps(
  may: boolean,
  isOff = false,
): { disabled: boolean; title?: string } {
  return may ? { disabled: isOff } : { disabled: true, title: tr("ui:barred") };
}
