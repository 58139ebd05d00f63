/**
 * A small menu below what it belongs to. The library's own dropdown, opened without a click on it,
 * does not find its place.
 */
import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

interface ContextMenuProps<K extends string> {
  label: string;
  /** Below this, in the viewport. */
  anchor: DOMRect;
  items: readonly { readonly key: K; readonly label: string }[];
  onChoose: (key: K) => void;
  /** `left`: by Escape, so that the focus goes back; otherwise it has gone elsewhere. */
  onClose: (left: boolean) => void;
}

/** The item that a key leads to; around the ends. */
function targetOf(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (index + 1) % count;
    case "ArrowUp":
      return (index + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

const WIDTH = 132;

export function ContextMenu<K extends string>(props: ContextMenuProps<K>) {
  const { label, anchor, items, onChoose, onClose } = props;
  const list = useRef<HTMLUListElement>(null);
  const focus = (index: number) => list.current?.querySelectorAll("button").item(index)?.focus();
  useEffect(() => focus(0), []);
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      onClose(true);
      return;
    }
    const target = targetOf(event.key, index, items.length);
    if (target !== null) {
      event.preventDefault();
      focus(target);
    }
  };
  return (
    <ul
      ref={list}
      role="menu"
      aria-label={label}
      className="k-menu"
      style={{
        top: anchor.bottom + 4,
        left: Math.max(4, Math.min(anchor.left, window.innerWidth - WIDTH - 4)),
        width: WIDTH,
      }}
    >
      {items.map((item, index) => (
        <li key={item.key} role="none">
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => onChoose(item.key)}
            onKeyDown={onKeyDown(index)}
            onBlur={({ relatedTarget }) => {
              if (list.current?.contains(relatedTarget) !== true) {
                onClose(false);
              }
            }}
          >
            {item.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
