/** The legal texts: complete, alike in both languages, true to the figures, and natural without the operator's particulars. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { imprint } from "./imprint.ts";
import type { LegalText, Particulars } from "./legal-text.ts";
import { privacyPolicyDe } from "./privacy-policy-de.ts";
import { privacyPolicyEn } from "./privacy-policy-en.ts";
import { termsOfServiceDe } from "./terms-of-service-de.ts";
import { termsOfServiceEn } from "./terms-of-service-en.ts";

const NOTHING: Particulars = {
  site_name: "Spawnpoint",
  site_url: "https://play.example.org",
  contact_email: "",
  operator_name: "",
  operator_address: "",
  operator_country: "",
  operator_representative: "",
  operator_register: "",
  operator_vat_id: "",
  court: "",
  liability_sum: "",
};
const EVERYTHING: Particulars = {
  ...NOTHING,
  contact_email: "ops@example.org",
  operator_name: "Example Gaming GmbH",
  operator_address: "Beispielweg 1\n12345 Musterstadt",
  operator_country: "Germany",
  operator_representative: "Ada Example",
  operator_register: "Amtsgericht Musterstadt, HRB 1",
  operator_vat_id: "DE123456789",
  court: "European Arbitration Chamber, Brussels",
  liability_sum: "100 €",
};

const wholeText = (text: LegalText) =>
  [text.title, ...text.intro, ...text.sections.flatMap((section) => [section.title, ...section.blocks])]
    .flatMap((block) => (typeof block === "string" ? block : block.list))
    .join("\n");

const TEXTS = [
  ["privacy", 13, privacyPolicyEn, privacyPolicyDe],
  ["terms", 19, termsOfServiceEn, termsOfServiceDe],
] as const;

for (const [name, count, en, de] of TEXTS) {
  test(`${name}: ${count} sections with the same anchors and shape in both languages`, () => {
    for (const particulars of [NOTHING, EVERYTHING]) {
      const [english, german] = [en(particulars), de(particulars)];
      assert.equal(english.sections.length, count);
      assert.deepEqual(
        german.sections.map((section) => section.id),
        english.sections.map((section) => section.id),
      );
      assert.equal(new Set(english.sections.map((section) => section.id)).size, count);
      for (const [index, section] of english.sections.entries()) {
        const shape = (text: LegalText) =>
          text.sections[index]?.blocks.map((block) => (typeof block === "string" ? "p" : block.list.length));
        assert.ok(section.blocks.length > 0);
        if (section.id !== "us-states") assert.deepEqual(shape(german), shape(english), section.id);
        assert.notEqual(german.sections[index]?.title === section.title && section.title.length > 8, true);
      }
    }
  });

  test(`${name}: without particulars the text reads whole, with them it names them`, () => {
    for (const write of [en, de]) {
      const bare = wholeText(write(NOTHING));
      assert.doesNotMatch(bare, /undefined|null| {2}|\(\)|, ,|“”|„“| \.|\[\]|{|}|TODO|XXX/);
      const full = wholeText(write(EVERYTHING));
      for (const fact of ["Example Gaming GmbH", "Beispielweg 1, 12345 Musterstadt", "ops@example.org"]) {
        assert.ok(full.includes(fact), fact);
      }
    }
  });
}

test("the privacy policy holds the figures and facts of the specification", () => {
  const facts = [
    [
      privacyPolicyEn,
      [
        "Germany",
        "As long as your account exists",
        "no sensitive data",
        "do-not-track",
        "do not respond",
        "United Kingdom",
        "Switzerland",
        "authorized agent",
      ],
    ],
    [
      privacyPolicyDe,
      [
        "Deutschland",
        "Solange dein Konto besteht",
        "keine sensiblen Daten",
        "Do-Not-Track",
        "reagieren wir nicht",
        "Vereinigten Königreich",
        "Schweiz",
        "Bevollmächtigter",
      ],
    ],
  ] as const;
  for (const [write, phrases] of facts) {
    const text = write(NOTHING);
    const all = wholeText(text);
    for (const phrase of phrases) assert.ok(all.includes(phrase), phrase);
    const us = text.sections[9];
    const usText = us?.blocks.flatMap((block) => (typeof block === "string" ? block : block.list)).join("\n") ?? "";
    assert.match(usText, /\b12 (?:months|Monaten)/);
    assert.match(usText, /\b15 (?:days|Tagen)/);
    assert.match(usText, /Colorado:[^\n]*\b45 /);
    assert.match(usText, /Connecticut:[^\n]*\b60 /);
    assert.match(usText, /Virginia:[^\n]*\b45 [^\n]*\b45 [^\n]*\b60 /);
    assert.deepEqual(
      text.sections.slice(8).map((section) => section.id),
      ["do-not-track", "us-states", "updates", "contact", "review-update-delete"],
    );
  }
});

test("the terms hold the figures and facts of the specification", () => {
  for (const [write, arbiter, language, law, blocking] of [
    [
      termsOfServiceEn,
      "by one arbitrator",
      "The language of the proceedings is German",
      "German law applies",
      "block network addresses (IP addresses)",
    ],
    [
      termsOfServiceDe,
      "durch einen Schiedsrichter",
      "Die Sprache des Verfahrens ist Deutsch",
      "Es gilt deutsches Recht",
      "Netzadressen (IP-Adressen) blockieren",
    ],
  ] as const) {
    const bare = wholeText(write(NOTHING));
    for (const phrase of ["60 ", arbiter, language, law, blocking]) assert.ok(bare.includes(phrase), phrase);
    assert.doesNotMatch(bare, /12 arbitrators|zwölf/);
    const full = wholeText(write(EVERYTHING));
    assert.ok(full.includes("European Arbitration Chamber, Brussels"));
    assert.match(full, /(?:the lesser of|den kleineren)[^\n]*100 €/);
    assert.doesNotMatch(bare, /lesser of|kleineren/);
  }
});

test("the imprint shows what is given, and no gap where nothing is", () => {
  for (const language of ["en", "de"] as const) {
    const bare = wholeText(imprint(language, NOTHING));
    assert.doesNotMatch(bare, /undefined|null|HRB|: *\n|: *$/);
    const full = wholeText(imprint(language, EVERYTHING));
    for (const fact of [
      "Example Gaming GmbH\nBeispielweg 1\n12345 Musterstadt\nGermany",
      "Ada Example",
      "HRB 1",
      "DE123456789",
      "mailto:ops@example.org",
    ]) {
      assert.ok(full.includes(fact), fact);
    }
  }
});

test("links lead to pages of the site, or open a mail", () => {
  for (const text of [privacyPolicyEn, privacyPolicyDe, termsOfServiceEn, termsOfServiceDe].map((write) =>
    write(EVERYTHING),
  )) {
    for (const [, address] of wholeText(text).matchAll(/\]\(([^)]*)\)/g)) {
      assert.match(
        address ?? "",
        /^\/(?:contact|impressum|privacy-policy|user\/settings\/profile)$|^mailto:ops@example\.org$/,
      );
    }
  }
});
