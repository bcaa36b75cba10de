/** Every form of the site that posts: where it stands, how to reach it, and the text for when no answer comes. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Who } from "./access-map.ts";
import { listAccountForms } from "./form-list-account.ts";
import { listAdminForms } from "./form-list-admin.ts";
import { listPublicForms } from "./form-list-public.ts";
import type { FormSite } from "./form-site.ts";
import type { AreaForm, SiteForm } from "./site-form.ts";

const app = path.join(import.meta.dirname, "..", "..", "app");

/** In place of the crop dialog, for browsers without script; no other browser shows it. */
const WITHOUT_SCRIPT = ["routes/account/avatar-editor.tsx 2"];

/** The forms in the source that stay on their page (those of a sign-in elsewhere lead to its site), as `SiteForm.source` names them. */
export function listFormsOfSource(): string[] {
  return globSync("**/*.tsx", { cwd: app })
    .filter((file) => !file.startsWith("ui/form/"))
    .flatMap((file) => {
      const tags = readFileSync(path.join(app, file), "utf8").match(/<(?:[Ff]orm|fetcher\.Form)\b[^>]*/g) ?? [];
      const posting = tags.filter((tag) => /\bfailed=|method="post"/.test(tag) && !/action=\{`\/api\/auth\//.test(tag));
      return posting.map((_, at) => `${file.replaceAll(path.sep, "/")} ${at + 1}`);
    })
    .filter((name) => !WITHOUT_SCRIPT.includes(name))
    .sort();
}

/** All of them, for a site that `startFormSite` has filled. */
export function listForms(site: FormSite): SiteForm[] {
  const of = (who: Who, forms: AreaForm[]): SiteForm[] => forms.map((form) => ({ who, ...form }));
  return [
    ...of("nobody", listPublicForms(site)),
    ...of("member", listAccountForms()),
    ...of("admin", listAdminForms(site)),
  ];
}
