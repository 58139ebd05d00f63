import { tr } from "./language.ts";

/** Of a control: off, and why, for who may not use it. */
export function barred(may: boolean, isOff = false): { disabled: boolean; title?: string } {
  return may ? { disabled: isOff } : { disabled: true, title: tr("ui:barred") };
}
