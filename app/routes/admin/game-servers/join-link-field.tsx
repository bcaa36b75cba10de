// Join link of a game server: starts as its game's, and previews what Join will open.
import { useEffect, useRef, useState } from "react";
import { hasUnknownPlaceholder, joinHref } from "#shared/join-href.ts";
import { m } from "../../../paraglide/messages.js";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { EXAMPLES, JOIN_LINK_PLACEHOLDERS } from "../games/examples.ts";
import { type GameServerTexts, joinLinkOf } from "./fields.ts";
import css from "./form.module.css";
import type { GameServerChoices } from "./form.tsx";

/** Form fields that fill a join link. */
const SOURCES = ["join_link", "game_id", "host", "game_port", "server_name", "password"] as const;
type Sources = Pick<GameServerTexts, (typeof SOURCES)[number]>;

type Props = {
  name: string;
  label: string;
  defaultValue: string;
  error: string | undefined;
  maxLength: number;
  values: GameServerTexts;
  games: GameServerChoices["games"];
};

export function JoinLinkField({ values, games, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<Sources>(values);
  const game = useRef(values.game_id);

  useEffect(() => {
    const form = input.current?.form;
    function read() {
      if (!form || !input.current) return;
      const now = (name: string) => String(new FormData(form).get(name) ?? "");
      const next = now("game_id");
      // Takes the link of a newly chosen game, unless the admin wrote one.
      if (next !== game.current && [joinLinkOf(game.current, games), ""].includes(input.current.value))
        input.current.value = joinLinkOf(next, games);
      game.current = next;
      setTyped(Object.fromEntries(SOURCES.map((name) => [name, now(name)])) as Sources);
    }
    form?.addEventListener("input", read);
    form?.addEventListener("change", read);
    return () => {
      form?.removeEventListener("input", read);
      form?.removeEventListener("change", read);
    };
  }, [games]);

  return (
    <TextField
      {...field}
      ref={input}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={EXAMPLES.join_link}
      hint={
        <>
          {m.admin_server_join_hint({ placeholders: JOIN_LINK_PLACEHOLDERS })}
          <span className={css.opens}>
            <Opens typed={typed} />
          </span>
        </>
      }
    />
  );
}

/** Shows what Join opens, or why nothing opens. */
function Opens({ typed }: { typed: Sources }) {
  const template = typed.join_link.trim();
  if (template === "") return m.admin_server_join_none();
  if (hasUnknownPlaceholder(template))
    return m.admin_fault_no_join_placeholder({ placeholders: JOIN_LINK_PLACEHOLDERS });
  const port = /^\d{1,5}$/.test(typed.game_port.trim()) ? Number(typed.game_port) : null;
  const facts = { host: typed.host.trim(), port, name: typed.server_name, password: typed.password || null };
  const href = joinHref(template, facts);
  if (href !== null)
    return (
      <>
        {m.admin_server_join_opens()} <code>{href}</code>
      </>
    );
  return facts.host === "" || (port === null && template.includes("{port}")) ? m.admin_server_join_needs() : null;
}
