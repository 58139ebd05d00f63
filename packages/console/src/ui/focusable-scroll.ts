import { useEffect } from "react";

const TAKES_FOCUS =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]";

/** Makes a box focusable, with this name, if the box scrolls and has no controls. */
function keepFocusable(box: Element, label: string): void {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  if (scrolls && box.querySelector(TAKES_FOCUS) === null) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", label);
  } else {
    for (const name of ["tabindex", "role", "aria-label"]) {
      box.removeAttribute(name);
    }
  }
}

/** Keeps the box from `find` focusable while it scrolls, also after the size of the box or of its content changes. */
export function useFocusableScroll(find: () => Element | null | undefined, label: string): void {
  useEffect(() => {
    const box = find();
    if (box === null || box === undefined) {
      return;
    }
    const observer = new ResizeObserver(() => keepFocusable(box, label));
    for (const element of [box, ...box.children]) {
      observer.observe(element);
    }
    keepFocusable(box, label);
    return () => observer.disconnect();
  });
}
