import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { messages } from "./vite-messages.ts";
import { serverRooms } from "./vite-rooms.ts";

/** What every page needs and no change of ours touches: in one file, which browsers keep from version to version. */
const FRAMEWORK = /node_modules[\\/](?:react|react-dom|scheduler|react-router)[\\/]/;
/** Messages that several pages share: a file for each area, not one for each set of pages. The others travel with their page. */
const WORDS = /app[\\/](?:paraglide|messages)[\\/]/;
const ADMIN_WORDS = /paraglide[\\/]messages[\\/](?:admin(?!_menu)|doctor)_/;
/** What no public page says but forms do; the menus in the frame of every page are called …_menu. */
const FORM_WORDS =
  /paraglide[\\/]messages[\\/](?:account(?!_menu)|login|refused|link|field|password|sign|verify|reset|setup|two|forgot|keep|confirm|contact|legal|privacy)_/;

const groups = [
  { name: "framework", test: FRAMEWORK },
  {
    name: "words",
    test: (id: string) => WORDS.test(id) && !ADMIN_WORDS.test(id) && !FORM_WORDS.test(id),
    minShareCount: 2,
  },
  { name: "words-of-forms", test: FORM_WORDS, minShareCount: 2 },
  { name: "words-of-admins", test: ADMIN_WORDS, minShareCount: 2 },
];

export default defineConfig({
  plugins: [messages(), serverRooms(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
});
