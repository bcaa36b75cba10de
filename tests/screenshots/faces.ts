/**
 * The four pages that a site is judged by, home, a game server's, login and a form of the admin area with its errors: in both
 * languages, at every width, in both themes, whole and as the first view that somebody has of them, the demo's banner included.
 */
import type { AccessSite } from "../e2e/access-site.ts";
import { untilAlive } from "../e2e/alive.ts";
import { ALL, type Shot } from "./camera.ts";

const LANGUAGES = { en: { root: "", create: "Create" }, de: { root: "/de", create: "Anlegen" } };

export function listFaces({ values }: AccessSite): Shot[] {
  return Object.entries(LANGUAGES).flatMap(([language, { root, create }]) => {
    const faces: Omit<Shot, "at" | "firstView">[] = [
      { name: `faces--home-${language}`, who: "nobody", address: root || "/" },
      { name: `faces--server-${language}`, who: "nobody", address: `${root}/servers/${values.serverId}` },
      { name: `faces--login-${language}`, who: "nobody", address: `${root}/login` },
      {
        name: `faces--form-${language}`,
        who: "admin",
        address: `${root}/admin/gameservers/create`,
        act: async (page) => {
          await untilAlive(page);
          await page.locator("main").getByRole("button", { name: create, exact: true }).first().click();
          await page.locator("main [aria-invalid=true]:focus").waitFor();
        },
      },
    ];
    // Each width for itself: where an error leads is another place of the page.
    return faces.flatMap((face) => ALL.map((each): Shot => ({ ...face, at: [each], firstView: true })));
  });
}
