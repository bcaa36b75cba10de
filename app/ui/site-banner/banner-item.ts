// Items of the banner at the top of a page: news, incidents and plans.

export type SiteBannerItem = {
  /**
   * Identifies the message, in small letters, digits and dashes: once dismissed, it isn't shown again, until something new has
   * another key.
   */
  key: string;
  kind: "news" | "incident" | "plan";
  /** One line, in the language `lang`, default: the page's. */
  text: string;
  lang?: "en" | "de";
  /** Page with details: an English address of the site. */
  to: string;
};
