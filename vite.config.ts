import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { messages } from "./vite-messages.ts";
import { serverRooms } from "./vite-rooms.ts";

/** What every page needs and no change of ours touches: in one file, which browsers keep from version to version. */
const FRAMEWORK = /node_modules[\\/](?:react|react-dom|scheduler|react-router)[\\/]/;
/** Messages that several pages share: in one file too, not in one for each set of pages. The others travel with their page. */
const WORDS = /app[\\/](?:paraglide|messages)[\\/]/;

const groups = [
  { name: "framework", test: FRAMEWORK },
  { name: "words", test: WORDS, minShareCount: 2 },
];

export default defineConfig({
  plugins: [messages(), serverRooms(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
});
