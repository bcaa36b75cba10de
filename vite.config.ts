import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { compressAssets } from "./vite-compress.ts";
import { serverRooms } from "./vite-rooms.ts";

export default defineConfig({
  plugins: [serverRooms(), reactRouter(), compressAssets()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
});
