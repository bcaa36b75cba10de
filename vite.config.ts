import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { serverRooms } from "./vite-rooms.ts";

/** What every page needs and no change of ours touches: in one file, which browsers keep from version to version. */
const FRAMEWORK = /node_modules[\\/](?:react|react-router)[\\/]/;
/** Messages that several pages share: a file for each area, not one for each set of pages. The others travel with their page. */
const TEXTS = /app[\\/](?:paraglide|messages)[\\/]/;
const ADMIN_TEXTS = /paraglide[\\/]messages[\\/](?:admin(?!_menu)|doctor|ask)_/;
/** What no public page says but forms do; the menus in the frame of every page are called …_menu. */
const FORM_TEXTS =
  /paraglide[\\/]messages[\\/](?:account(?!_menu)|login|refused|link|field|password|sign|verify|reset|setup|two|forgot|keep|confirm|contact|legal|privacy|failed(?!_logout)|mail|passkey)_/;
/** What is said of one game server at length: on its page and beside its guide. */
const SERVER_TEXTS =
  /paraglide[\\/]messages[\\/](?:(?:history|known|embed|guide|peaks|entry|share|server|live|time|mods|every)_|fact_(?!peak)|not_reported\.|players_now_|servers_online_spoken|developers_title|data_delayed\.|file_missing)/;
/** What is said once somebody has pressed "Tell me", and on the page of all that they are told. */
const TELLING_TEXTS = /paraglide[\\/]messages[\\/](?:tell|following)_/;
/** What only sites with news say. */
const NEWS_TEXTS = /paraglide[\\/]messages[\\/](?:news|banner)_/;
const PAGES_OF_THEIR_OWN = [ADMIN_TEXTS, FORM_TEXTS, SERVER_TEXTS, TELLING_TEXTS, NEWS_TEXTS];

/** Parts that most pages have, and what these need: one file is compressed better than many, and asked for once. */
const COMMON = [
  "shared/statuses",
  "shared/summary",
  "app/nonce",
  "app/share-tags",
  "app/still",
  "app/ui/address-box/address-box",
  "app/live/auth-events",
  "app/live/live-provider",
  "app/live/use-live",
  "app/routes/public/servers/known-values",
  "app/ui/alert/alert",
  "app/ui/button/button",
  "app/ui/copy-button/copy-button",
  "app/ui/copy-button/copy-text",
  "app/ui/empty-state/empty-state",
  "app/ui/entry-needs/invite-context",
  "app/ui/error-page/error-page",
  "app/ui/footer/footer",
  "app/ui/form/held-link",
  "app/ui/form/left-form",
  "app/ui/form/lost-page",
  "app/ui/form/no-answer",
  "app/ui/icon/icon",
  "app/ui/join-link/join-link",
  "app/ui/link/link",
  "app/ui/menu-of-page",
  "app/ui/notice/notice",
  "app/ui/page-title/page-title",
  "app/ui/picture/picture-frame",
  "app/ui/picture/travelling-picture",
  "app/ui/player-count/player-count",
  "app/ui/reader-zone",
  "app/ui/server-card/players-now",
  "app/ui/sparkline/draw-curve",
  "app/ui/sparkline/sparkline",
  "app/ui/status-sign/status-sign",
  "app/ui/top-bar/top-bar",
].map((name) => new RegExp(`/${name}\\.tsx?$`));

/** The stylesheets: one for the pages that anybody opens, and one for what members and admins have beside it. */
const LOOK = /app[\\/](?:styles|ui|routes[\\/]public)[\\/].*\.css$/;
const LOOK_OF_MEMBERS =
  /app[\\/](?:routes[\\/](?:account|admin)|ui[\\/](?:admin-\w+|code-field|confirm-form|crop-dialog|data-table|doctor-result|drop-zone|file-field|form-sheet|game-picker|passkey-place|radio-cards|settings-\w+|sortable-list|text-area))[\\/].*\.css$/;

const groups = [
  { name: "look", test: (id: string) => LOOK.test(id) && !LOOK_OF_MEMBERS.test(id) },
  { name: "look-of-members", test: LOOK_OF_MEMBERS },
  { name: "framework", test: FRAMEWORK },
  // Before the texts: what these parts say is in their file.
  { name: "common", test: (id: string) => COMMON.some((part) => part.test(id)) },
  {
    name: "texts",
    test: (id: string) => TEXTS.test(id) && !PAGES_OF_THEIR_OWN.some((own) => own.test(id)),
    minShareCount: 2,
  },
  { name: "texts-of-forms", test: FORM_TEXTS, minShareCount: 2 },
  { name: "texts-of-news", test: NEWS_TEXTS, minShareCount: 2 },
  { name: "texts-of-servers", test: SERVER_TEXTS, minShareCount: 2 },
  { name: "texts-of-telling", test: TELLING_TEXTS, minShareCount: 2 },
  { name: "texts-of-admins", test: ADMIN_TEXTS, minShareCount: 2 },
];

/** The shortest hash that the bundler takes for so many files: each character more travels with every name of a file. */
const NAMED = "assets/[name]-[hash:7].js";

/** What it writes to app/paraglide is the same as what `npm run messages` writes. */
const PARAGLIDE = { project: "./project.inlang", outdir: "./app/paraglide" };

export default defineConfig({
  plugins: [paraglideVitePlugin(PARAGLIDE), serverRooms(), reactRouter()],
  build: { assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: { groups }, entryFileNames: NAMED, chunkFileNames: NAMED } },
      },
    },
  },
});
