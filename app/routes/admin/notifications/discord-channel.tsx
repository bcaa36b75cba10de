// Shows one connected Discord channel: state, live cards, and actions.
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./discord-channel.module.css";

type Card = { card_id: string; kind: string; about: string | null; state: string; last_error: string | null };
type Channel = {
  target_id: string;
  name: string;
  last4: string;
  dead: boolean;
  last_error: string | null;
  cards: Card[];
};
type Subjects = {
  games: { game_id: number; game_name: string }[];
  servers: { server_id: number; server_name: string }[];
};

export function DiscordChannel({ channel, subjects, busy }: { channel: Channel; subjects: Subjects; busy: boolean }) {
  const { target_id, name, last4, dead, last_error, cards } = channel;
  return (
    <section className={css.channel}>
      <header className={css.head}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <p className={css.note}>
          {m.admin_discord_end({ end: `…${last4}` })} ·{" "}
          {dead
            ? m.admin_discord_stopped({ reason: m.admin_notify_failure({ reason: last_error ?? "" }) })
            : m.admin_discord_fine()}
        </p>
      </header>
      {cards.length > 0 && (
        <ul className={css.cards}>
          {cards.map((card) => (
            <li key={card.card_id} className={css.card}>
              <CardRow card={card} />
            </li>
          ))}
        </ul>
      )}
      <Form failed={m.failed_discord()} className={css.line} key={cards.length}>
        <input type="hidden" name="intent" value="card" />
        <input type="hidden" name="target_id" value={target_id} />
        <SelectField
          name="about"
          label={m.admin_discord_card_about()}
          options={[
            { value: "site", label: m.admin_discord_card_site() },
            ...subjects.games.map(({ game_id, game_name }) => ({ value: `game:${game_id}`, label: game_name })),
            ...subjects.servers.map(({ server_id, server_name }) => ({
              value: `server:${server_id}`,
              label: server_name,
            })),
          ]}
        />
        <Button type="submit" variant="tonal" loading={busy}>
          {m.admin_discord_card_add()}
        </Button>
      </Form>
      <footer className={css.foot}>
        <div className={css.acts}>
          <Form failed={m.failed_discord()}>
            <input type="hidden" name="intent" value="test" />
            <input type="hidden" name="target_id" value={target_id} />
            <Button type="submit" variant="tonal" size="s">
              {m.admin_discord_test()}
            </Button>
          </Form>
          <Form failed={m.failed_discord()}>
            <input type="hidden" name="intent" value="disconnect" />
            <input type="hidden" name="target_id" value={target_id} />
            <Button type="submit" variant="outlined" size="s" aria-label={m.admin_discord_remove_of({ name })}>
              {m.admin_discord_remove()}
            </Button>
          </Form>
        </div>
        <p className={css.note}>{m.admin_discord_remove_what()}</p>
      </footer>
    </section>
  );
}

function CardRow({ card: { card_id, kind, about, state, last_error } }: { card: Card }) {
  const name = kind === "site" ? m.admin_discord_card_site() : (about ?? m.admin_discord_card_lost());
  const isLost = state === "doubtful" || state === "removed";
  return (
    <>
      <p className={css.words}>
        <bdi className={css.name}>{name}</bdi>
        <span className={css.note}>
          {m.admin_discord_card_state({ state })}
          {last_error !== null && (
            <>
              {" "}
              <bdi>{m.admin_discord_card_problem({ reason: m.admin_notify_failure({ reason: last_error }) })}</bdi>
            </>
          )}
        </span>
      </p>
      {state !== "ending" && (
        <Form failed={m.failed_discord()}>
          <input type="hidden" name="intent" value="card-end" />
          <input type="hidden" name="card_id" value={card_id} />
          <Button type="submit" variant="outlined" size="s" aria-label={m.admin_discord_card_remove_of({ name })}>
            {m.admin_discord_card_remove()}
          </Button>
        </Form>
      )}
      {isLost && (
        <Form failed={m.failed_discord()} className={css.again}>
          <input type="hidden" name="intent" value="card-again" />
          <input type="hidden" name="card_id" value={card_id} />
          <TextField
            name="link"
            label={m.admin_discord_card_link()}
            hint={m.admin_discord_card_link_hint()}
            maxLength={400}
            autoComplete="off"
          />
          <div>
            <Button type="submit" variant="tonal" size="s">
              {m.admin_discord_card_again()}
            </Button>
          </div>
        </Form>
      )}
    </>
  );
}
