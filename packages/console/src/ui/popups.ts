/** Where menus, lists of choices, tooltips and toasts stand: a landmark of their own, beside the page. */
const ID = "popups";

/** The place, named for who goes from landmark to landmark. */
export function popupPlace(label: string): HTMLElement {
  const found = document.getElementById(ID);
  const place = found ?? document.createElement("div");
  if (found === null) {
    place.id = ID;
    place.setAttribute("role", "region");
    document.body.append(place);
  }
  place.setAttribute("aria-label", label);
  return place;
}
