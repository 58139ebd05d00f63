import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

/* The server that `npm run dev` and a hand-started `vite` pass calls on to. */
const SERVER = "http://127.0.0.1:8080";

export default defineConfig({
  base: "/red/",
  plugins: [
    react(),
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
          groups: [
            {
              // Everything else is split by the routes; one big library group would double the
              // weight of the login page.
              name: "react",
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/,
              priority: 30,
            },
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
