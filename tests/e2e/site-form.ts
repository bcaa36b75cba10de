/** How one form of the site is described for the walk over all of them. */
import type { Page } from "@playwright/test";
import type { Who } from "./access-map.ts";

export type SiteForm = {
  /** Its place in the source: the file below app/, and which of its forms. */
  source: string;
  who: Who;
  at: string;
  /** A selector of the button that sends it; its form is the form of this button. */
  button: string;
  /** What the message begins with, in English. */
  text: string;
  /** Brings the page to where the form is shown. */
  reach?: (page: Page) => Promise<void>;
  /** What has to stand in a field, where any text will not do. */
  fields?: Record<string, string>;
  /** How much it takes, in bytes, where that is more than for others. */
  most?: number;
  /** Sending it changes what it holds. */
  moves?: true;
  /** Only its first field takes any text. */
  few?: true;
  /** What its page answers by itself to what is too much. */
  tooMuch?: { text: string; status: number };
};

/** One of an area of the site, all of whose forms are shown to the same person. */
export type AreaForm = Omit<SiteForm, "who">;

/** The button of the form whose hidden field `intent` says this. */
export const intent = (value: string) =>
  `form:has(input[name=intent][value=${value}]) > [type=submit], form:has(input[name=intent][value=${value}]) [type=submit]`;

/** One of the admin pages, by its place in the source. */
export const admin = (name: string, nth = 1): string => `routes/admin/${name}.tsx ${nth}`;

/** The button of the form of an admin page in which a name has to be typed. */
export const confirm = "main form:has([name=confirm]) [type=submit]";
