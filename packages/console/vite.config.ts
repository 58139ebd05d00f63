import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";
import { guidePage } from "./guide-page.ts";

/* The server that `npm run dev` and a hand-started `vite` pass calls on to. */
const SERVER = "http://127.0.0.1:8080";

/* Fields for times, and the forms of filters, which hold them. */
const TIMES =
  /@rc-component[\\/]picker[\\/]es|antd[\\/]es[\\/](?:date|time)-picker|src[\\/]ui[\\/](?:date-time-picker|query-field|query-form)/;

export default defineConfig({
  base: "/red/",
  plugins: [
    react(),
    guidePage(),
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
    // A page asks for its chunks when it is opened; nothing is loaded in advance.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: each is a request with its headers, and packs worse than a larger one.
          groups: [
            {
              name: "react",
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/,
              priority: 30,
            },
            // What is needed before any page of lists is opened, by signing in too.
            { name: "base", tags: ["$initial"], priority: 20 },
            {
              name: "base",
              test: /console[\\/]src[\\/]lib[\\/]one-time-code|contract[\\/]src[\\/]faults/,
              priority: 20,
            },
            {
              // A picture is smaller than the headers of a file of its own.
              name: "lists",
              test: /node_modules[\\/]@ant-design[\\/]icons/,
              minShareCount: 2,
              priority: 15,
            },
            // What most pages of the shell have in common; one page's own is split by the routes.
            { name: "lists", test: (id) => !TIMES.test(id), minShareCount: 4, priority: 10 },
            // After what they stand on: a list without filters does without them.
            { name: "times", test: TIMES, priority: 5 },
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
