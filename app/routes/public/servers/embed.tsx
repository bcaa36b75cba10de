// Badge and widget of a game server, to copy into other sites.
import { here, language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import styles from "./embed.module.css";
import { embedSnippets } from "./embed-snippets.ts";

type Props = { serverId: number; name: string; siteUrl: string };

/** Closed at first. Without script the texts can be selected. */
export function ServerEmbed({ serverId, name, siteUrl }: Props) {
  const snippets = embedSnippets({ siteUrl, path: here(`/servers/${serverId}`), name });
  const parts = [
    { key: "markdown", label: m.embed_markdown(), text: snippets.markdown },
    { key: "html", label: m.embed_html(), text: snippets.html },
    { key: "widget", label: m.embed_widget(), text: snippets.widget },
  ];
  return (
    <section className={`page ${styles.embed}`} aria-labelledby="embed">
      <h2 id="embed" className="visually-hidden">
        {m.embed_title()}
      </h2>
      <details>
        <summary>{m.embed_title()}</summary>
        <div className={styles.body}>
          <p>{m.embed_note()}</p>
          <p>
            <img
              src={here(`/servers/${serverId}/badge.svg`)}
              alt={m.embed_badge_of({ server: name })}
              height="28"
              loading="lazy"
              lang={language()}
            />
          </p>
          {parts.map(({ key, label, text }) => (
            <div key={key} className={styles.snippet}>
              <h3>{label}</h3>
              <code className={styles.code}>{text}</code>
              <CopyButton text={text} label={m.copy()} accessibleName={m.embed_copy({ what: label })} />
            </div>
          ))}
        </div>
      </details>
    </section>
  );
}
