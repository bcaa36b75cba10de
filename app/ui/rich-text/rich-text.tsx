// Renders text with headings, lists and links from an admin's Markdown: HTML made and sanitised by the server.
import css from "./rich-text.module.css";

type Props = {
  /** Only from `renderNewsText` (domain/news/markdown.ts): it allows a short list of tags. */
  html: string;
  lang?: string | undefined;
};

export function RichText({ html, lang }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by an allow-list on the server (decision 045).
  return <div className={css.text} lang={lang} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
