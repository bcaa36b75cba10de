import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { messages } from "./vite-messages.ts";
import { serverRooms } from "./vite-rooms.ts";

/** What every page needs and no change of ours touches: in one file, which browsers keep from version to version. */
const FRAMEWORK = /node_modules[\\/](?:react|react-dom|scheduler|react-router)[\\/]/;

export default defineConfig({
  plugins: [messages(), serverRooms(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: "framework", test: FRAMEWORK }] } } } },
    },
  },
});
