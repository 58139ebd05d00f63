import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { compression } from "vite-plugin-compression2";
import { guidePage } from "./guide-page.ts";

/* Server for `npm run dev`, and for vite when it is started by hand. */
const SERVER = "http://127.0.0.1:8080";

/* Modules of time fields, and of the filter forms that contain time fields. */
const TIMES =
  /@rc-component[\\/]picker[\\/]es[\\/](?!locale)|antd[\\/]es[\\/](?:date|time)-picker[\\/](?!locale)|src[\\/](?:ui[\\/](?:date-time-picker|query-field|query-form)|forms[\\/]filter-page)/;

const TABS = /antd[\\/]es[\\/]tabs|@rc-component[\\/]tabs|ui[\\/]tab-strip/;

/* Modules of forms in dialogs. */
const FORMS =
  /antd[\\/]es[\\/]radio|console[\\/]src[\\/]forms[\\/](?:form-dialog|reason-dialog|merge|conflict-notice)|contract[\\/]src[\\/]platform[\\/]who-words/;

const RECORDS = /records[\\/]record-texts/;

/* Each of these modules is smaller than the HTTP headers of a separate file. */
const SMALL =
  /@ant-design[\\/]icons|antd[\\/]es[\\/]auto-complete|src[\\/](?:stops|forms[\\/](?:load-failed|proof)-dialog|lib[\\/](?:activities|debounced)|players[\\/]draw-info-button|records[\\/]job-texts|ui[\\/]not-loaded)|contract[\\/]src[\\/](?:approvals[\\/]approval|platform[\\/]code-texts|payouts[\\/]wallet(?:-reason)?)\.ts/;

/* Modules of antd that no page uses, but that its own components load. Each entry has the importing file in the
   folder `es`, then the imported modules. */
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

/* The console uses messages and no notifications, but the `App` component of antd would call the hook of
   notifications anyway. */
const NO_HOOK = { file: "/antd/es/app/App.js", module: "../notification/useNotification" };

/** Replaces the modules in UNUSED and NO_HOOK. If a page still renders an UNUSED module, the module throws an error. */
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
    // Pages load their chunks when they are opened, so nothing is preloaded.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A few large files are better: each file costs a request with headers, and small files compress worse.
          groups: [
            {
              name: "react",
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/,
              priority: 30,
            },
            // Chunk that is needed before any list page is open, also for signing in.
            { name: "base", tags: ["$initial"], priority: 20 },
            {
              name: "base",
              test: /console[\\/]src[\\/](?:lib[\\/]one-time-code|ui[\\/]brand)|contract[\\/]src[\\/]platform[\\/]faults/,
              priority: 20,
            },
            // Chunk with modules that most pages of the shell share. The routes split the code of single pages.
            {
              name: "lists",
              test: (id) => ![TIMES, FORMS, TABS, RECORDS].some((one) => one.test(id)),
              minShareCount: 4,
              priority: 10,
            },
            // These chunks have a lower priority than the chunks they use. A list without filters or open dialogs does
            // not load them.
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
