/** Container of menus, options, tooltips and toasts: a landmark beside the page. */
const ID = "popups";

export function popupPlace(label: string): HTMLElement {
  const existing = document.getElementById(ID);
  const place = existing ?? document.createElement("div");
  if (existing === null) {
    place.id = ID;
    place.setAttribute("role", "region");
    document.body.append(place);
  }
  place.setAttribute("aria-label", label);
  return place;
}
