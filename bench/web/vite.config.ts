import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/plain/",
  plugins: [react()],
  // Both pages of the bench reach the server in the same way.
  preview: {
    host: "127.0.0.1",
    proxy: { "^/(gred|red)/": process.env["BENCH_BEHIND"] ?? "" },
  },
  build: { target: "es2022", reportCompressedSize: false, modulePreload: { polyfill: false } },
});
