// How the console is built, and how `npm run dev` serves it from its sources beside a running service.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { movedPaths, paths } from "./src/paths.ts";

const service = process.env.FREEHOLD_ORIGIN ?? "http://127.0.0.1:8700";
const proxied = { target: service, ws: true, changeOrigin: true, headers: { origin: service } };

/** The addresses that the service answers with the console. */
const routesFile: Plugin = {
  name: "routes-file",
  generateBundle() {
    const source = JSON.stringify([...Object.values(paths), ...Object.keys(movedPaths)], null, 2);
    this.emitFile({ type: "asset", fileName: "routes.json", source });
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), routesFile],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    emptyOutDir: true,
    // The service reads in the manifest which files the pages of the documentation load.
    manifest: "manifest.json",
    rolldownOptions: { input: ["index.html", "src/docs/main.ts"] },
  },
  server: {
    proxy: {
      "/docs": proxied,
      "/v1": proxied,
      "/v2": proxied,
      "/graphql": proxied,
      "/s3/": proxied,
    },
  },
});
