// How the console is built, and how it is served while somebody works on it: `npm run dev` beside a
// service on its usual address.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const service = process.env.FREEHOLD_ORIGIN ?? "http://127.0.0.1:8700";
const proxied = { target: service, ws: true, changeOrigin: true, headers: { origin: service } };

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { target: "es2023", assetsInlineLimit: 0, chunkSizeWarningLimit: 600, emptyOutDir: true },
  server: { proxy: { "/v1": proxied, "/v2": proxied, "/graphql": proxied } },
});
