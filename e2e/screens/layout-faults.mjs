/**
 * Runs in the page and finds layout faults. Its value is `{ clipped, overlapping, sideways, small, outside }`, each a
 * list of sentences; elements with clipped text are marked with `data-clipped`, so that a test can point at them and see
 * whether the whole text appears.
 */
(() => {
  const EDGE = 1.5;
  const IS_PHONE = innerWidth < 720;
  const TARGET = IS_PHONE ? 44 : 24;
  const CONTROLS =
    "a[href], button, input:not([type=hidden]), textarea, select, summary, [role=button], [role=tab], [role=switch], [role=menuitem], [role=menuitemradio], [role=option], [role=combobox], .ant-picker-cell, .ant-picker-time-panel-cell-inner, .ant-picker-presets li";

  /** Pop-ups of lists and menus; `PASSING` ones disappear by themselves. */
  const MENUS = ".s-find-over, .s-bell, .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown";
  const PASSING = ".ant-tooltip:not(.s-bell), .ant-message";

  const shownOf = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    );
  const menus = shownOf(MENUS);
  const top = shownOf("[role=dialog], dialog[open]").at(-1) ?? document.body;
  // Elements below a menu or a dialog cannot be reached; another place checks them.
  const roots = menus.length > 0 ? menus : [top];
  const allOf = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);

  const label = (element) => {
    const text = element.getAttribute("aria-label") ?? element.textContent ?? "";
    const name = element.className?.baseVal ?? element.className ?? "";
    return `<${element.tagName.toLowerCase()} class="${String(name).slice(0, 60)}"> ${text.trim().slice(0, 60)}`;
  };
  const seen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest(".sr-only, [inert]") === null;
  const clips = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";

  /** The part of `box` inside the clipping boxes around the element; scrolled away counts as visible. */
  function cutBy(element, box) {
    const cuts = [];
    for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      const hidesX = clips(style.overflowX);
      const hidesY = clips(style.overflowY);
      if (hidesX && (box.right > frame.right + EDGE || box.left < frame.left - EDGE)) {
        cuts.push(at);
      } else if (hidesY && (box.bottom > frame.bottom + EDGE || box.top < frame.top - EDGE)) {
        cuts.push(at);
      }
      if (scrolls(style.overflowX) || scrolls(style.overflowY) || style.position === "fixed") {
        break;
      }
    }
    return cuts;
  }

  /** The rest is one click away: behind a button that unfolds it, or in a strip with scroll buttons. */
  function isFolded(element) {
    const holder = element.closest("[id]");
    return (
      element.closest(".ant-tabs-nav-wrap, .ant-select-dropdown, [role=listbox]") !== null ||
      (holder !== null &&
        document.querySelector(
          `[aria-controls="${CSS.escape(holder.id)}"][aria-expanded=false]`,
        ) !== null)
    );
  }

  function textsOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      nodes.push(node);
    }
    return nodes;
  }

  function findClipped() {
    const found = new Map();
    for (const node of roots.flatMap(textsOf)) {
      const element = node.parentElement;
      const isText = node.data.trim() !== "" && element.closest("script, style, title") === null;
      if (!isText || !seen(element) || isUnderPopup(element)) {
        continue;
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const [cut] = box.width > 0 ? cutBy(element, box) : [];
        if (cut !== undefined) {
          const whole = node.data.trim();
          const titled = element.closest("[title]")?.getAttribute("title") ?? "";
          if (!titled.includes(whole) && !isFolded(element)) {
            found.set(element, { whole, sentence: `${label(element)} in ${label(cut)}` });
          }
          break;
        }
      }
    }
    for (const input of allOf("input[placeholder], textarea[placeholder]")) {
      const style = getComputedStyle(input);
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.font = style.font;
      const room =
        input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const wanted = canvas.measureText(input.placeholder).width;
      if (seen(input) && input.value === "" && input.tagName === "INPUT" && wanted > room + EDGE) {
        const sentence = `placeholder "${input.placeholder}" needs ${wanted.toFixed(0)} of ${room.toFixed(0)} px`;
        found.set(input, { whole: input.placeholder, sentence });
      }
    }
    for (const input of allOf(".ant-picker input, input:disabled, input:read-only")) {
      const isSearch = input.matches("[role=combobox]");
      if (seen(input) && !isSearch && input.scrollWidth > input.clientWidth + 1) {
        found.set(input, { whole: input.value, sentence: `value "${input.value}" of a field` });
      }
    }
    // The cells of a column are alike: the first stands for all.
    const kinds = new Map();
    for (const [element, { whole, sentence }] of found) {
      if (element.title !== "" && element.title.includes(whole)) {
        continue;
      }
      const cell = element.closest("td, th, dd");
      const column = cell?.cellIndex ?? cell?.previousElementSibling?.textContent ?? sentence;
      const kind = `${element.className} ${column}`;
      if (!kinds.has(kind)) {
        kinds.set(kind, { whole, sentence });
        // A shortened code shows its end, which lies outside its own box.
        const shown = element.closest(".k-ellipsis") ?? element;
        shown.setAttribute("data-clipped", String(kinds.size - 1));
      }
    }
    return [...kinds.values()];
  }

  /** What a click has to hit, for controls that are a part of it. */
  const AROUND = {
    "input[type=checkbox], input[type=radio], input[type=file]":
      "label, .ant-checkbox-wrapper, .ant-upload",
    "[role=combobox], .ant-select-input": ".ant-select",
    ".ant-picker input, .ant-input-affix-wrapper input": ".ant-picker, .ant-input-affix-wrapper",
    ".ant-tabs-tab-btn": ".ant-tabs-tab",
    ".ant-pagination-item a": ".ant-pagination-item",
    "[role=switch]": "label",
  };

  function targetOf(control) {
    const [, around = null] = Object.entries(AROUND).find(([one]) => control.matches(one)) ?? [];
    return (around && control.closest(around)) ?? control;
  }

  /** Ancestors that scroll or hide an element, the innermost first. */
  function framesOf(element) {
    const frames = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const isScroller = scrolls(overflowX) || scrolls(overflowY);
        frames.push({ element: at, isScroller, box: at.getBoundingClientRect() });
      }
      if (position === "fixed") {
        break;
      }
    }
    return frames;
  }

  /** The part of a control inside the given frames. */
  function boxWithin({ whole }, frames) {
    const left = Math.max(whole.left, ...frames.map(({ box }) => box.left));
    const right = Math.min(whole.right, ...frames.map(({ box }) => box.right));
    const upper = Math.max(whole.top, ...frames.map(({ box }) => box.top));
    const bottom = Math.min(whole.bottom, ...frames.map(({ box }) => box.bottom));
    return { left, top: upper, right, bottom, width: right - left, height: bottom - upper };
  }

  /**
   * Boxes of two controls relative to each other. Frames around both do not clip, since overlapping controls overlap at
   * any scroll position; a frame around only one of them does.
   */
  function beside(one, other) {
    const common = one.frames.find(
      (frame) => frame.isScroller && other.frames.some(({ element }) => element === frame.element),
    );
    return [one, other].map((control) => {
      const end = control.frames.findIndex(({ element }) => element === common?.element);
      return boxWithin(control, end < 0 ? control.frames : control.frames.slice(0, end));
    });
  }

  function controls() {
    const targets = new Set();
    for (const control of allOf(CONTROLS)) {
      const target = targetOf(control);
      if (seen(target) && getComputedStyle(target).pointerEvents !== "none") {
        targets.add(target);
      }
    }
    return [...targets]
      .map((element) => {
        const frames = framesOf(element);
        return { element, frames, whole: element.getBoundingClientRect() };
      })
      .filter(({ whole }) => whole.width > 2 && whole.height > 2)
      .filter((one) => !isHidden(one) && !isUnderLayer(one));
  }

  /** Completely clipped by something that does not scroll, so out of reach. */
  function isHidden(one) {
    const end = one.frames.findIndex(({ isScroller }) => isScroller);
    const { width, height } = boxWithin(one, end < 0 ? one.frames : one.frames.slice(0, end));
    return width <= 2 || height <= 2;
  }

  /** Layers above others on purpose: pop-ups, and parts that stay while the rest scrolls. */
  const POPUPS = `${MENUS}, ${PASSING}`;
  const STAYING = ".ant-table-thead, .ant-table-cell-fix, .ant-picker-footer";
  const LAYERS = `${POPUPS}, ${STAYING}`;

  /** Covered by a pop-up: checked at a place without it. */
  function isUnderPopup(element) {
    const { left, top: upper, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, upper + height / 2);
    return element.closest(POPUPS) === null && (hit?.closest(POPUPS) ?? null) !== null;
  }

  /** True when a layer covers every tested point of the control. */
  function isUnderLayer(one) {
    const { element } = one;
    const box = boxWithin(one, one.frames);
    if (box.width <= 0 || box.height <= 0) {
      return false;
    }
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.2, 0.8].map((y) => [x, y]));
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      return (
        hit !== null &&
        !element.contains(hit) &&
        !hit.contains(element) &&
        hit.closest(LAYERS) !== null
      );
    });
  }

  /** Each pop-up is a layer. All fixed parts of table heads are one, all fixed parts of rows another. */
  const layerOf = (element) =>
    STAYING.split(", ").find((part) => element.closest(part) !== null) ?? element.closest(POPUPS);

  /** Its parts overlap by design. */
  const FIELD = ".ant-input-affix-wrapper, .ant-select, .ant-picker, .ant-input-number";

  function findOverlapping(all) {
    const found = [];
    all.forEach((one, at) => {
      for (const other of all.slice(at + 1)) {
        const [a, b] = beside(one, other);
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const related = one.element.contains(other.element) || other.element.contains(one.element);
        const field = one.element.closest(FIELD);
        const sameField = field !== null && field === other.element.closest(FIELD);
        if (
          wide > EDGE &&
          high > EDGE &&
          !related &&
          !sameField &&
          layerOf(one.element) === layerOf(other.element)
        ) {
          found.push(
            `${label(one.element)} and ${label(other.element)} by ${wide.toFixed(0)} × ${high.toFixed(0)} px`,
          );
        }
      }
    });
    return found;
  }

  /** Elements that may be wider than their place scroll by themselves; other checks find what they hide. */
  function findSideways() {
    const allowed =
      ".ant-table-content, .ant-tabs-nav-wrap, .ant-tabs-nav-list, .s-tags, pre, textarea, input, .ant-select-selection-overflow, .k-scroll";
    return [document.documentElement, ...document.querySelectorAll("body *")]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        const isPage = element === document.documentElement;
        return (
          (isPage || scrolls(overflowX)) &&
          element.scrollWidth > element.clientWidth + 1 &&
          !element.matches(allowed) &&
          element.querySelector(":scope > table, :scope > p + table, :scope > section > table") ===
            null
        );
      })
      .map(
        (element) =>
          `${label(element).slice(0, 90)}: ${element.scrollWidth} in ${element.clientWidth} px`,
      );
  }

  /** Where a control can be hit: its box, and an `::after` that makes it larger. */
  function reachOf({ element, whole }) {
    const after = getComputedStyle(element, "::after");
    const isLarger = after.position === "absolute" && after.content !== "none";
    const [width, height] = isLarger ? [parseFloat(after.width), parseFloat(after.height)] : [0, 0];
    return [Math.max(whole.width, width), Math.max(whole.height, height)];
  }

  /**
   * On phones smaller than 44 px, elsewhere than 24 px unless a circle of 24 px around its centre touches no other
   * target (WCAG 2.5.5 and 2.5.8). Links within a sentence may be small.
   */
  function findSmall(all) {
    const inText = (element) =>
      element.matches("a[href], .k-link") &&
      [...element.parentElement.childNodes].some(
        ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== "",
      );
    const isCrowded = (one) => {
      const { element, whole } = one;
      const [x, y] = [whole.left + whole.width / 2, whole.top + whole.height / 2];
      return all.some((other) => {
        const [, near] = beside(one, other);
        if (near.width <= 0 || near.height <= 0) {
          return false;
        }
        const dx = Math.max(near.left - x, 0, x - near.right);
        const dy = Math.max(near.top - y, 0, y - near.bottom);
        const related = other.element.contains(element) || element.contains(other.element);
        const isApart = related || layerOf(other.element) !== layerOf(element);
        return other.element !== element && !isApart && Math.hypot(dx, dy) < TARGET / 2 - 0.5;
      });
    };
    return all
      .map((one) => ({ ...one, reach: reachOf(one) }))
      .filter(({ element, reach }) => Math.min(...reach) < TARGET - 0.5 && !inText(element))
      .filter((one) => IS_PHONE || isCrowded(one))
      .map(
        ({ element, reach: [width, height] }) =>
          `${label(element)}: ${width.toFixed(0)} × ${height.toFixed(0)} px`,
      );
  }

  /** Pop-ups that end beyond the window, which do not scroll with the page. */
  function findOutside() {
    return shownOf(`${MENUS}, .ant-tooltip`)
      .map((popup) => ({ popup, box: popup.getBoundingClientRect() }))
      .filter(
        ({ box }) =>
          box.width > 0 &&
          (box.left < -EDGE ||
            box.top < -EDGE ||
            box.right > innerWidth + EDGE ||
            box.bottom > innerHeight + EDGE),
      )
      .map(
        ({ popup, box }) =>
          `${label(popup)} from ${box.left.toFixed(0)}, ${box.top.toFixed(0)} to ${box.right.toFixed(0)}, ${box.bottom.toFixed(0)}`,
      );
  }

  const all = controls();
  return {
    clipped: findClipped(),
    overlapping: findOverlapping(all),
    sideways: findSideways(),
    small: findSmall(all),
    outside: findOutside(),
  };
})();
