/** How the console is put into files: what is left out of libraries, and which modules go together. */
import type { Plugin } from "vite";

interface UnusedPart {
  /** The end of the path of the module that asks for it. */
  readonly importer: string;
  readonly source: string;
  /** Stands for it. */
  readonly code: string;
}

const NOTHING = "export default () => null;";
const NO_STYLE = "export default () => ({});";

/**
 * What the console does without: filters and sorting in a table's header (every list has its form), which
 * come with a tree and a menu, pages (they are the kit's own), tables that draw only what is in view or
 * have a scroll bar of their own, selecting by radio buttons or from a menu, rows in a tree, notices beside
 * messages, choosing several values in one field, groups of check boxes, lists within a form, and
 * fields for passwords, codes and searches. Lists and dialogs show in their own way that they wait.
 */
const UNUSED: readonly UnusedPart[] = [
  {
    importer: "/antd/es/table/InternalTable.js",
    source: "./hooks/useFilter",
    code: `
      const same = (value) => value;
      const filter = [same, [], {}];
      export { same as getFilterData };
      export default () => filter;`,
  },
  { importer: "/antd/es/table/hooks/useSelection.js", source: "../../radio", code: NOTHING },
  { importer: "/antd/es/table/hooks/useSelection.js", source: "../../dropdown", code: NOTHING },
  {
    importer: "/antd/es/table/hooks/useSelection.js",
    source: "@rc-component/tree",
    code: `
      export const arrAdd = (list = [], value) => (list.includes(value) ? [...list] : [...list, value]);
      export const arrDel = (list = [], value) => list.filter((one) => one !== value);
      const refuse = () => { throw new Error("rows in a tree were left out of the build"); };
      export { refuse as conductCheck, refuse as convertDataToEntities };`,
  },
  {
    importer: "/antd/es/table/InternalTable.js",
    source: "../spin",
    code: "export default ({ children }) => children;",
  },
  { importer: "/antd/es/table/InternalTable.js", source: "../pagination", code: NOTHING },
  { importer: "/antd/es/table/InternalTable.js", source: "./RcTable/VirtualTable", code: NOTHING },
  {
    importer: "/antd/es/table/InternalTable.js",
    source: "./hooks/useSorter",
    code: `
      const same = (value) => value;
      const sorter = [same, [], {}, () => ({})];
      export { same as getSortData };
      export default () => sorter;`,
  },
  {
    importer: "/@rc-component/table/es/index.js",
    source: "./VirtualTable",
    code: `${NOTHING} export const genVirtualTable = () => null;`,
  },
  { importer: "/@rc-component/table/es/Table.js", source: "./stickyScrollBar", code: NOTHING },
  ...["bordered", "filter", "pagination", "sorter", "sticky", "summary", "virtual"].map(
    (style) => ({
      importer: "/antd/es/table/style/index.js",
      source: `./${style}`,
      code: NO_STYLE,
    }),
  ),
  {
    importer: "/@rc-component/select/es/SelectInput/Content/index.js",
    source: "./MultipleContent",
    code: NOTHING,
  },
  {
    importer: "/@rc-component/picker/es/PickerInput/Selector/SingleSelector/index.js",
    source: "./MultipleDates",
    code: NOTHING,
  },
  {
    importer: "/antd/es/select/style/select-input.js",
    source: "./select-input-multiple",
    code: NO_STYLE,
  },
  { importer: "/antd/es/date-picker/style/index.js", source: "./multiple", code: NO_STYLE },
  { importer: "/antd/es/checkbox/index.js", source: "./Group", code: NOTHING },
  { importer: "/antd/es/form/index.js", source: "./FormList", code: NOTHING },
  {
    // A dialog that waits for its values shows the bars of the lists.
    importer: "/antd/es/modal/Modal.js",
    source: "../skeleton",
    code: `
      import { createElement } from "react";
      const bar = (_, key) => createElement("span", { key, className: "k-skeleton" });
      export default () => createElement("div", { "aria-hidden": true }, Array.from({ length: 4 }, bar));`,
  },
  {
    importer: "/antd/es/app/App.js",
    source: "../notification/useNotification",
    code: "export default () => [{}, null];",
  },
  { importer: "/antd/es/input/index.js", source: "./OTP", code: NOTHING },
  { importer: "/antd/es/input/index.js", source: "./Password", code: NOTHING },
  { importer: "/antd/es/input/index.js", source: "./Search", code: NOTHING },
];

const PREFIX = "\0unused:";

/** Leaves them out of the build; fails it when the library has them elsewhere, as another version may. */
export function leaveOutUnused(): Plugin {
  const met = new Set<UnusedPart>();
  return {
    name: "leave-out-unused",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer = "") {
      const part = UNUSED.find(
        (one) => one.source === source && importer.replaceAll("\\", "/").endsWith(one.importer),
      );
      if (part === undefined) {
        return null;
      }
      met.add(part);
      return `${PREFIX}${UNUSED.indexOf(part)}`;
    },
    load(id) {
      return id.startsWith(PREFIX) ? (UNUSED[Number(id.slice(PREFIX.length))]?.code ?? null) : null;
    },
    generateBundle() {
      const missed = UNUSED.filter((part) => !met.has(part));
      if (missed.length > 0) {
        throw new Error(
          `not left out: ${missed.map(({ importer, source }) => `${source} of ${importer}`).join(", ")}`,
        );
      }
    },
  };
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The modules and all that they cannot run without, but nothing that they ask for later. */
function reachOf(starts: readonly string[], modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (!reached.has(id)) {
      reached.add(id);
      open.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
    }
  }
  return reached;
}

/**
 * A name for the file of all that these modules need, which is none of the other pages'. Only for modules
 * without the component library: it is one module to ask for, whatever is taken from it.
 */
export function fileOf(name: string, starts: readonly string[]) {
  let reached: ReadonlySet<string> | null = null;
  return (id: string, modules: Modules): string | null => {
    reached ??= reachOf(starts, modules);
    return reached.has(id) ? name : null;
  };
}
