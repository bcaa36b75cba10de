// Loader and action of the setup: each step is saved separately and leads to the next.
import { randomUUID } from "node:crypto";
import { redirect } from "react-router";
import { renderMail } from "#content/mails/templates.ts";
import { FIRST_EIGHT_IDS, takeCatalogueGames } from "#domain/games/catalogue.ts";
import { setSitePicture } from "#domain/media/site-pictures.ts";
import { backupTrouble, readBackupState } from "#domain/site/backups.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import {
  findSettingsToEdit,
  SETTINGS_LIMITS,
  type SettingsField,
  type SettingsForm,
  settingsFormShape,
  updateSiteSettings,
} from "#domain/site/settings-form.ts";
import { isNamed, nextSetupStep, putSetupAway, readSetup, type SetupStep, skipSetupStep } from "#domain/site/setup.ts";
import type { FormAnswer } from "#shared/form-answer.ts";
import { type AppParts, appContext, siteContext } from "#web/context.ts";
import { readFileForm } from "#web/forms/file-form.ts";
import {
  type Asked,
  done,
  handleForm,
  type Permitted,
  permitted,
  refuse,
  refuseConflict,
  refuseForNow,
  textOf,
  textsOf,
} from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { formatNumber, here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { logoPicture } from "../../../site-pictures.ts";
import { checkFields, differences } from "../field-errors.ts";
import { handlePaste, loadPaste } from "../game-servers/paste/paste-actions.ts";
import { listPickerGames, listTaken } from "../games/picker-games.ts";
import { refusedGamesText } from "../games/refused-games.ts";
import { consumePicture, refusePicture } from "../picture-upload.ts";
import { settingLabels } from "../settings/setting-fields.tsx";
import { pageAfter, pageIn, type SetupPage, setupAddress } from "./steps.ts";

/** Settings of each step. */
const STEP_SHAPES = {
  brand: settingsFormShape.pick({ site_name: true, tagline_en: true, tagline_de: true }),
  contact: settingsFormShape.pick({ discord_url: true, contact_email: true }),
  legal: settingsFormShape.pick({
    operator_name: true,
    operator_representative: true,
    operator_address: true,
    operator_country: true,
    operator_register: true,
    operator_vat_id: true,
    court: true,
    liability_sum: true,
  }),
};
type SettingsStep = keyof typeof STEP_SHAPES;

const fieldsOf = (step: SettingsStep) => Object.keys(STEP_SHAPES[step].shape) as SettingsField[];
const isSettingsStep = (page: SetupPage): page is SettingsStep => Object.hasOwn(STEP_SHAPES, page);

const TEST_MAILS = { tries: 5, seconds: 600 };

/** More than the catalogue has; the site's own forms never send more. */
const MOST_TAKEN = 1000;

const outsideOf = ({ mailsGoOut, outside }: AppParts) => ({ mailsGoOut, backups: outside.backups !== null });

/** Returns the setup for the dashboard's checklist; null: dismissed or done. */
export async function findChecklist(app: AppParts) {
  const setup = await readSetup(app.db, outsideOf(app));
  return setup.put_away || setup.steps.every((step) => step.done) ? null : setup;
}

/** Loads the setup page in the address. Redirects to the next open step if it names none. */
export async function loadSetup(asked: Asked) {
  const { email } = requirePermission(asked, "settings:write");
  const app = asked.context.get(appContext);
  const setup = await readSetup(app.db, outsideOf(app));
  const page = pageIn(asked.url.searchParams);
  // The address names the step, so that forms post to their own page.
  if (page === null) throw redirect(here(setupAddress(nextSetupStep(setup) ?? "done")));
  return { setup, page, content: await readContent(asked, app, page, email) };
}
export type SetupData = Awaited<ReturnType<typeof loadSetup>>;

async function readContent(asked: Asked, app: AppParts, page: SetupPage, email: string) {
  const { context } = asked;
  if (isSettingsStep(page)) {
    const { logo } = await readSiteSettings(app.db);
    const { form: stored, revision } = await findSettingsToEdit(app.db, fieldsOf(page));
    // Starts with an empty name while the site has none.
    const form: Partial<SettingsForm> = page === "brand" && !isNamed(stored) ? { ...stored, site_name: "" } : stored;
    return { is: "settings" as const, form, revision, limits: SETTINGS_LIMITS, logo: logoPicture(logo) };
  }
  if (page === "mail")
    return { is: "mail" as const, server: app.outside.mailServer, from: app.outside.mailFrom, email };
  if (page === "backup") {
    const state = await readBackupState(app.db);
    return {
      is: "backup" as const,
      plan: app.outside.backups,
      state,
      trouble: state.error && backupTrouble(state.error),
    };
  }
  if (page === "done") return { is: "done" as const, address: context.get(siteContext).read().site_url };
  if (page === "games") {
    const { searchParams } = asked.url;
    const q = (searchParams.get("q") ?? "").slice(0, 80);
    const [games, taken] = await Promise.all([listPickerGames(app.db), listTaken(app.db)]);
    return { is: "games" as const, games, taken, asked: { q, all: searchParams.has("all") } };
  }
  return { is: "servers" as const, paste: await loadPaste(asked) };
}

/** Runs the action of a setup form. */
export async function handleSetup(asked: Asked) {
  const who = permitted("settings:write");
  const { member } = who(asked);
  const page = pageIn(asked.url.searchParams);
  const received = await readFileForm(asked.context.get(appContext), member, asked.request);
  // Intents that aren't the panel's belong to every step, such as skipping.
  if (page === "servers" && received instanceof FormData && !OWN_INTENTS.includes(textOf(received, "intent")))
    return handlePaste(asked, setupAddress("servers"), received);
  return handleForm(asked, {
    who,
    receive: async () => (received instanceof FormData ? received : refusePicture(received)),
    read: (form) => ({ texts: page && isSettingsStep(page) ? textsOf(form, fieldsOf(page)) : {} }) as Given,
    async act(sent) {
      const { intent, app, actor } = sent;
      if (intent === "put-away" || intent === "bring-back") {
        await putSetupAway(app.db, actor, intent === "put-away");
        return redirect(here(intent === "put-away" ? "/admin/dashboard" : setupAddress("done")));
      }
      if (page === null || page === "done") return refuse(422, m.admin_try_again());
      if (intent === "skip") return leave(sent, page);
      if (intent === "test-mail") return sendTestMail(asked, sent);
      if (intent === "remove-logo") return (await changeLogo(sent, null)) ?? done<SetupDone>({ mailed: null });
      if (page === "games") return takeGames(sent);
      return isSettingsStep(page) ? saveSettings(sent, page) : refuse(422, m.admin_try_again());
    },
    away: (intent) => `${intent === "skip" ? m.failed_setup_step() : m.failed_settings()} ${m.admin_try_again()}`,
  });
}

const OWN_INTENTS = ["skip", "put-away", "bring-back"];

/** Answer of the setup's forms. */
export type SetupAnswer = FormAnswer<Given, SetupDone>;

type Given = { texts: Partial<Record<SettingsField, string>> };
type Sent = Permitted & { given: Given; form: FormData; intent: string; app: AppParts };

/** `mailed`: recipient of the test mail. */
type SetupDone = { mailed: string | null };

async function leave({ app, actor }: Sent, step: SetupStep) {
  await skipSetupStep(app.db, actor, step);
  return redirect(here(setupAddress(pageAfter(step))));
}

async function saveSettings(sent: Sent, step: SettingsStep) {
  const { app, actor, form, given } = sent;
  const checked = checkFields(
    STEP_SHAPES[step],
    given.texts,
    `${m.admin_settings_not_saved()} ${m.admin_check_fields()}`,
  );
  if (!checked.ok) return checked;
  const saved = await updateSiteSettings(app.db, actor, textOf(form, "revision"), checked.data);
  if (!saved.ok) {
    if (saved.reason === "gone") throw new Error("settings cannot be gone");
    return refuseConflict(saved.revision, differences(saved.theirs, checked.data, settingLabels()));
  }
  const file = form.get("picture");
  if (step === "brand" && file instanceof File && file.size > 0) {
    const refused = await changeLogo(sent, Buffer.from(await file.arrayBuffer()));
    if (refused)
      return { ...refused, problem: `${m.admin_setup_logo_refused()} ${refused.problem}`, revision: saved.revision };
  }
  const { steps } = await readSetup(app.db, outsideOf(app));
  // Continuing with an open step skips it.
  if (!steps.find((each) => each.step === step)?.done) return leave(sent, step);
  return redirect(here(setupAddress(pageAfter(step))));
}

async function takeGames({ app, actor, form }: Sent) {
  const ticked = form.getAll("catalogue_id").map(String).slice(0, MOST_TAKEN);
  const ids = form.has("all_eight") ? [...FIRST_EIGHT_IDS, ...ticked] : ticked;
  if (ids.length === 0) return refuse(422, m.admin_catalogue_nothing());
  const { taken, refused } = await takeCatalogueGames(app.db, actor, ids);
  return refused.length > 0
    ? refuse(422, refusedGamesText({ taken, refused }))
    : redirect(here(setupAddress(pageAfter("games"))));
}

/** Null: done. */
async function changeLogo({ app, actor, member }: Sent, bytes: Buffer | null) {
  const wait = bytes && (await consumePicture(app, member, "site-picture"));
  if (wait !== null) return refusePicture("limit", wait);
  const outcome = await setSitePicture(app, actor, "logo", bytes, (error) =>
    app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
  );
  if (outcome.ok) return null;
  return outcome.reason === "too-small"
    ? refuse(422, m.admin_settings_logo_too_small())
    : refusePicture(outcome.reason);
}

/** Sends it now, and returns the mail server's answer. */
async function sendTestMail({ context, url }: Asked, { app, member }: Sent) {
  if (!app.mailsGoOut) return refuse(422, m.admin_setup_mail_none());
  const wait_s = await app.limits.consume([ofAccount("test-mail", member.user_id, TEST_MAILS)]);
  if (wait_s !== null) return refuseForNow(wait_s, m.admin_setup_mail_wait({ seconds: formatNumber(wait_s) }));
  const locale = url.pathname.startsWith("/de/") ? "de" : "en";
  const { site_name: name } = context.get(siteContext).read().settings;
  const mail = renderMail({ template: "test-mail", locale, data: {} }, { name, url: app.siteUrl });
  const letter = { id: randomUUID(), name: "test-mail", from_name: name, to: member.email, ...mail };
  const outcome = await app.mailer.send(letter);
  if (outcome.sent) return done<SetupDone>({ mailed: member.email });
  app.log.warn({ reason: outcome.reason }, "the test mail could not be sent");
  return refuse(503, m.admin_setup_mail_refused({ reason: outcome.reason }));
}
