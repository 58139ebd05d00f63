/** Container of menus, options, tooltips and toasts: a landmark beside the page. */
const ID = "popups";

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
