import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { compression } from "vite-plugin-compression2";
import { guidePage } from "./guide-page.ts";

/* Target of the calls in `npm run dev` and when vite is started by hand. */
const SERVER = "http://127.0.0.1:8080";

/* Time fields, and the filter forms that contain them. */
const TIMES =
  /@rc-component[\\/]picker[\\/]es[\\/](?!locale)|antd[\\/]es[\\/](?:date|time)-picker[\\/](?!locale)|src[\\/](?:ui[\\/](?:date-time-picker|query-field|query-form)|forms[\\/]filter-page)/;

const TABS = /antd[\\/]es[\\/]tabs|@rc-component[\\/]tabs|ui[\\/]tab-strip/;

/* Forms in dialogs. */
const FORMS =
  /antd[\\/]es[\\/]radio|console[\\/]src[\\/]forms[\\/](?:form-dialog|reason-dialog|merge|conflict-notice)|contract[\\/]src[\\/]platform[\\/]who-words/;

const RECORDS = /records[\\/]record-texts/;

/* Each is smaller than the headers of a file of its own. */
const SMALL =
  /@ant-design[\\/]icons|antd[\\/]es[\\/]auto-complete|src[\\/](?:stops|forms[\\/](?:load-failed|proof)-dialog|lib[\\/](?:activities|debounced)|players[\\/]draw-info-button|records[\\/]job-texts|ui[\\/]not-loaded)|contract[\\/]src[\\/](?:approvals[\\/]approval|platform[\\/]code-texts|payouts[\\/]wallet(?:-reason)?)\.ts/;

/* What no page uses of antd, though its own components load it: in the folder `es` importing file, imported modules. */
const UNUSED = [
  ["alert/index", "./ErrorBoundary"],
  ["dropdown/index", "./dropdown-button"],
  ["input/index", "./Group", "./OTP", "./Password", "./Search"],
  ["modal/index", "./PurePanel"],
  ["skeleton/Skeleton", "./Avatar", "./Button", "./Image", "./Input", "./Node"],
  ["table/InternalTable", "./RcTable/VirtualTable"],
  ["table/hooks/useFilter/index", "./FilterDropdown"],
  ["table/hooks/useSelection", "../../radio"],
  ["tooltip/index", "./PurePanel"],
].map(([file, ...modules]) => ({ end: `/antd/es/${file}.js`, modules }));

/* The console tells by messages; a component would call the hook of notifications all the same. */
const NO_HOOK = { file: "/antd/es/app/App.js", module: "../notification/useNotification" };

/** Leaves it out; whoever uses it after all sees that at once: to render it throws. */
function leaveOut(): Plugin {
  const id = "\0left-out";
  const code = `const leftOut = () => { throw new Error("left out: UNUSED in vite.config.ts"); };
export default leftOut; export { leftOut as flattenKeys };`;
  const hook = "\0no-hook";
  return {
    name: "leave-out",
    enforce: "pre",
    resolveId(module, file = "") {
      if (file.endsWith(NO_HOOK.file) && module === NO_HOOK.module) {
        return hook;
      }
      const isUnused = UNUSED.some(
        ({ end, modules }) => file.endsWith(end) && modules.includes(module),
      );
      return isUnused ? id : null;
    },
    load: (asked) =>
      asked === id ? code : asked === hook ? "export default () => [null, null];" : null,
  };
}

export default defineConfig({
  base: "/red/",
  plugins: [
    react(),
    guidePage(),
    leaveOut(),
    compression({
      algorithms: ["gzip", "brotliCompress"],
      include: /\.(?:js|css|html|svg)$/,
      threshold: 512,
      logLevel: "silent",
    }),
  ],
  build: {
    target: "es2022",
    reportCompressedSize: false,
    // Pages load their chunks when opened; nothing is preloaded.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: each costs a request with headers, and compresses worse than a larger one.
          groups: [
            {
              name: "react",
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/,
              priority: 30,
            },
            // Needed before any list page is opened, also for signing in.
            { name: "base", tags: ["$initial"], priority: 20 },
            {
              name: "base",
              test: /console[\\/]src[\\/](?:lib[\\/]one-time-code|ui[\\/]brand)|contract[\\/]src[\\/]platform[\\/]faults/,
              priority: 20,
            },
            // Shared by most pages of the shell; code of one page is split by the routes.
            {
              name: "lists",
              test: (id) => ![TIMES, FORMS, TABS, RECORDS].some((one) => one.test(id)),
              minShareCount: 4,
              priority: 10,
            },
            // Lower than what they build on: a list without filters or an open dialog does not load them.
            { name: "times", test: TIMES, priority: 5 },
            { name: "tabs", test: TABS, priority: 5 },
            { name: "forms", test: FORMS, priority: 5 },
            { name: "records", test: RECORDS, priority: 5 },
            { name: "small", test: SMALL, minShareCount: 2, priority: 4 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/gred": SERVER,
      "/open": SERVER,
      "/healthz": SERVER,
      "/readyz": SERVER,
      "^/red/docs(?:/|$)": SERVER,
      "/oauth": SERVER,
      "^/red/(?:act|award|record|player)/": SERVER,
      "/red/config.json": SERVER,
    },
  },
});
