// What the quiet line at the top of a page can say: news, an incident, something that is planned.

export type SiteBannerItem = {
  /**
   * Names what is said, in small letters, digits and dashes: a reader who has put it away does not see it again, until
   * something new is said under another key.
   */
  key: string;
  kind: "news" | "incident" | "plan";
  /** One line, in the language `lang`, or the page's where that is not said. */
  text: string;
  lang?: "en" | "de";
  /** The page that says more: an address of the site in English. */
  to: string;
};
