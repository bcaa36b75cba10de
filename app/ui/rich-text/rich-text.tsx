// A text with headings, lists and links, as an admin wrote it in Markdown: HTML that the server has made and cleaned.
import css from "./rich-text.module.css";

type Props = {
  /** Of `renderNewsText` (domain/news/markdown.ts) and of nothing else: it lets through a short list of tags. */
  html: string;
  lang?: string | undefined;
};

export function RichText({ html, lang }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by an allow-list on the server (decision 045).
  return <div className={css.text} lang={lang} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
