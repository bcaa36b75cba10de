/** Every mail in both languages: whole, escaped, without anything remote. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { writeDigestMail } from "../notifications/telling-mail.ts";
import { type MailData, renderMail } from "./templates.ts";

const SITE = { name: "Rock & <Roll>", url: "https://play.example.org" };
const LINK = "https://play.example.org/do?token=abc&next=%2F";
/** The site's name in the last line leads home, where everybody is sent on in their own language. */
const LEADS_TO = {
  en: /^https:\/\/play\.example\.org(?!\/de)/,
  de: /^https:\/\/play\.example\.org(?:\/de\/|$)/,
};
const LINK_IN = { en: LINK, de: "https://play.example.org/de/do?token=abc&next=%2F" };
const HOSTILE = `<img src=x onerror=alert(1)>"'&`;

const DATA: MailData = {
  "verify-email": { link: LINK, hours: 24 },
  "reset-password": { link: LINK, minutes: 60 },
  "change-email-old": { new_email: "new@example.org", link: LINK, hours: 1 },
  "change-email-new": { link: LINK, hours: 1 },
  "sign-in-code": { code: "482913", minutes: 10 },
  "already-registered": { sign_in_link: LINK, reset_link: LINK },
  "security-changed": {
    what: "passkey-added",
    changed_at: "2026-11-20T10:00:00Z",
    browser: "Firefox",
    system: "Linux",
    network: "198.51.100.…",
  },
  "new-admin": {
    email: "boss@example.org",
    user_id: "0199",
    changed_at: "2026-11-20T10:00:00Z",
    browser: null,
    system: null,
    network: null,
  },
  "second-factor-removed": { removed_at: "2026-11-20T10:00:00Z", security_link: LINK },
  "second-factor-lost": { lost_at: "2026-11-20T10:00:00Z", security_link: LINK },
  "account-deletion-started": { erase_at: "2026-11-27T10:00:00Z", link: LINK },
  "account-deleted": { kept_until: "2027-11-20T10:00:00Z" },
  "contact-answer": { answer: "It is up again.\n\nSee you there!", written_at: "2026-11-19T10:00:00Z" },
  "contact-message": {
    name: HOSTILE,
    email: "guest@example.org",
    message: `${HOSTILE}\nsecond line`,
    request_kind: "delete",
    request_region: "virginia",
  },
  "test-mail": {},
};

test("what a stranger wrote arrives as text, never as markup, and cannot end the subject", () => {
  for (const locale of ["en", "de"] as const) {
    const mail = renderMail({ template: "contact-message", locale, data: DATA["contact-message"] }, SITE);
    assert.doesNotMatch(mail.html, /<img|onerror=alert\(1\)>/);
    assert.ok(mail.html.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"));
    assert.ok(mail.text.includes(`> ${HOSTILE}\n> second line`));
    const broken = { name: "Site\r\nBcc: all@example.org", url: SITE.url };
    assert.doesNotMatch(
      renderMail({ template: "contact-message", locale, data: DATA["contact-message"] }, broken).subject,
      /[\r\n]/,
    );
  }
});

test("both ways on of who has an account already can be pressed", () => {
  for (const [locale, at] of [
    ["en", "/do"],
    ["de", "/de/do"],
  ] as const) {
    const { html } = renderMail({ template: "already-registered", locale, data: DATA["already-registered"] }, SITE);
    assert.doesNotMatch(html.replace(/<a [^>]*>[^<]*<\/a>/g, ""), /https:/);
    assert.equal(html.split(`href="${SITE.url}${at}?`).length - 1, 3);
  }
});

test("what somebody wrote of the site's addresses is sent as it was written", () => {
  const data = { answer: "It is at https://play.example.org/api/v1/servers.", written_at: "2026-11-19T10:00:00Z" };
  const { text } = renderMail({ template: "contact-answer", locale: "de", data }, SITE);
  assert.ok(text.includes(data.answer));
});

test("the daily mail has what happened before the button, and leads on to what is not in it", () => {
  const thing = { title: "Midgard is down", body: "It does not answer.", path: "/servers/7", at: "18:05" };
  const { text, html } = writeDigestMail({ things: [thing], more: 3 }, "en", SITE, LINK);
  for (const part of [text, html]) {
    const places = ["Midgard is down", "And 3 more.", "Everything we tell you"].map((words) => part.indexOf(words));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
    assert.ok(places.every((place) => place >= 0));
  }
  assert.match(html, /<strong><a href="https:\/\/play.example.org\/following">And 3 more\.<\/a><\/strong><\/p>/);
});

test("a template that does not exist is refused", () => {
  for (const template of ["nothing", "toString", "__proto__"]) {
    assert.throws(() => renderMail({ template, locale: "en", data: {} }, SITE), RangeError);
  }
});

for (const [template, data] of Object.entries(DATA)) {
  test(`${template} in both languages: subject, both bodies, why it was sent, nothing remote, nothing undefined`, () => {
    const subjects = (["en", "de"] as const).map((locale) => {
      const mail = renderMail({ template, locale, data }, SITE);
      for (const body of [mail.subject, mail.text, mail.html]) assert.doesNotMatch(body, /undefined|\[object|NaN|null/);
      assert.match(mail.html, new RegExp(`<html lang="${locale}">`));
      assert.match(mail.text, locale === "en" ? /You get this mail because/ : /Du bekommst diese E-Mail, weil/);
      assert.doesNotMatch(mail.html, /<(?:img|link|script|iframe)\b|url\(|@import|style="/);
      for (const [, href] of mail.html.matchAll(/href="([^"]*)"/g)) {
        assert.match(href ?? "", LEADS_TO[locale]);
      }
      if ("link" in data) {
        assert.ok(mail.text.includes(LINK_IN[locale]));
        assert.ok(mail.html.includes(LINK_IN[locale].replaceAll("&", "&amp;")));
      }
      if ("code" in data) assert.doesNotMatch(mail.subject, /482913/);
      return mail.subject;
    });
    assert.notEqual(subjects[0], subjects[1]);
  });
}
