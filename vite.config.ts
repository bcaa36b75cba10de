import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { serverRooms } from "./vite-rooms.ts";

export default defineConfig({
  plugins: [serverRooms(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
});
