// Defines legal texts and their particulars. Texts are plain; the only markup is a link: [words](/address).

export type LegalBlock = string | { list: string[] };

type LegalSection = { id: string; title: string; blocks: LegalBlock[] };

export type LegalText = {
  title: string;
  /** One sentence for search engines. */
  description: string;
  intro: LegalBlock[];
  sections: LegalSection[];
};

/** Settings that the texts use, besides the site's name. */
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

/** Particulars from the settings; if one is empty, its sentence says "the operator", or is left out. */
export type Particulars = Record<NamedSetting | "site_name" | "site_url", string>;

/** Date of the last change in content, shown beside the texts. */
export const LEGAL_UPDATED = { "privacy-policy": "2024-01-18", "terms-of-service": "2024-01-18" } as const;

/** Returns the existing blocks: those with a missing setting are left out. */
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
