// The shape of a legal text, and what fills it in. Texts are plain; the only mark in them is a link: [words](/address).

export type LegalBlock = string | { list: string[] };

type LegalSection = { id: string; title: string; blocks: LegalBlock[] };

export type LegalText = {
  title: string;
  /** One sentence for search engines. */
  description: string;
  intro: LegalBlock[];
  sections: LegalSection[];
};

/** Settings that the texts name, but for the site's name. */
export const NAMED_SETTINGS = [
  "operator_name",
  "operator_address",
  "operator_country",
  "operator_representative",
  "operator_register",
  "operator_vat_id",
  "contact_email",
  "court",
  "liability_sum",
] as const;

export type NamedSetting = (typeof NAMED_SETTINGS)[number];

/** Who runs the site, from its settings; an empty one makes its sentence speak of the operator, or leaves it out. */
export type Particulars = Record<NamedSetting | "site_name" | "site_url", string>;

/** When the texts were last changed in what they say: shown beside them. */
export const LEGAL_UPDATED = { "privacy-policy": "2024-01-18", "terms-of-service": "2024-01-18" } as const;

/** The blocks that are there: what depends on a missing setting is left out. */
export function blocks(...parts: (LegalBlock | false | "")[]): LegalBlock[] {
  return parts.filter((part): part is LegalBlock => part !== false && part !== "");
}

/** The operator's address in one line. */
export function addressLine(p: Particulars): string {
  return [...p.operator_address.split("\n"), p.operator_country]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(", ");
}
