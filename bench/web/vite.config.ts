import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/plain/",
  plugins: [react()],
  build: { target: "es2022", reportCompressedSize: false, modulePreload: { polyfill: false } },
});
