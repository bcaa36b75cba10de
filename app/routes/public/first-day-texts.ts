// Texts of the home page before the first game server exists, in the reader's language.
import { m } from "../../paraglide/messages.js";

export type FirstDayTexts = {
  /** Main action; `opens`: it leads to another site. */
  act: { label: string; to: string } | { label: string; opens: string };
  panels: { title: string; text: string }[];
};

/** For admins the next step, for others a link to the community. @param maySetUp whether the reader may set up the site */
export function firstDayTexts(site: { maySetUp: boolean; anyGame: boolean; discordUrl: string }): FirstDayTexts {
  const forAll = { title: m.home_first_title(), text: m.home_first_text() };
  if (site.maySetUp) {
    const text = site.anyGame ? m.home_admin_servers() : m.home_admin_games();
    return {
      act: { label: m.home_admin_go(), to: "/admin/setup" },
      panels: [{ title: m.home_admin_title(), text }, forAll],
    };
  }
  const act = site.discordUrl
    ? { label: m.home_first_discord(), opens: site.discordUrl }
    : { label: m.home_first_contact(), to: "/contact" };
  return { act, panels: [forAll] };
}
