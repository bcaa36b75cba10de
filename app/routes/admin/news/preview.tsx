// Preview for readers, rendered by the server like the page itself.
import { useEffect, useRef } from "react";
import { m } from "../../../paraglide/messages.js";
import { RichText } from "../../../ui/rich-text/rich-text.tsx";
import css from "./form.module.css";
import type { Preview } from "./news-acts.ts";

export function Previews({ previews }: { previews: Preview[] }) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each preview is looked at, the same text once more too.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start" });
  }, [previews]);
  return (
    <section ref={box} tabIndex={-1} className={css.preview} aria-labelledby="preview">
      <h2 id="preview">{m.admin_news_preview()}</h2>
      <p className={css.hint}>{previews.length > 0 ? m.admin_news_preview_note() : m.admin_news_preview_empty()}</p>
      <div className={css.previews}>
        {previews.map(({ lang, title, html }) => (
          <article key={lang} lang={lang} className={css.paper}>
            {title && (
              <h3 className={css.headline} dir="auto">
                {title}
              </h3>
            )}
            <RichText html={html} lang={lang} />
          </article>
        ))}
      </div>
    </section>
  );
}
