// Form of a new or an existing game server.
import { useState } from "react";
import type { ShownSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { ADAPTER_FACTS, ADAPTER_IDS, ADAPTER_OPTIONS, ADAPTER_SECRETS } from "#shared/adapters.ts";
import type { FieldErrors } from "#shared/form-answer.ts";
import { PASSWORD_ACCESS, type PasswordAccess } from "#shared/password-access.ts";
import { LIFECYCLES, VISIBILITIES } from "#shared/statuses.ts";
import { m } from "../../../paraglide/messages.js";
import { adapterLabel } from "../../../ui/adapter-text/adapter-text.ts";
import { FormFold } from "../../../ui/form-sheet/form-fold.tsx";
import { FormRow, FormSection } from "../../../ui/form-sheet/form-sheet.tsx";
import type { PickerGame } from "../../../ui/game-picker/picker-game.ts";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { CheckField, SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { EXAMPLES } from "../games/examples.ts";
import { type GameServerTexts, lifecycleText, readFields, type TickName, visibilityText } from "./fields.ts";
import { type Folded, saidOf } from "./folds.ts";
import css from "./form.module.css";
import { JoinLinkField } from "./join-link-field.tsx";
import { GameServerLinks } from "./links.tsx";
import { MomentField } from "./moment-field.tsx";
import { OptionFields } from "./option-fields.tsx";
import { inputName } from "./option-texts.ts";
import { SecretFields } from "./secret-fields.tsx";

export type GameServerChoices = {
  games: { game_id: number; game_name: string; join_link: string | null }[];
  /** The query library's games. */
  types: readonly PickerGame[];
  limits: Record<
    | "name"
    | "user_max"
    | "interval_s"
    | "version"
    | "flavour"
    | "host"
    | "link"
    | "join_code"
    | "password"
    | "access_note"
    | "links"
    | "description"
    | "secret",
    number
  >;
};

/** Labels of the fields. */
export const fieldLabels = (): Record<Exclude<keyof GameServerTexts, "options">, string> => ({
  game_id: m.admin_server_game(),
  server_name: m.admin_server_name(),
  user_max: m.admin_server_max(),
  visibility: m.admin_server_visibility(),
  server_locations: m.admin_server_locations(),
  lifecycle: m.admin_server_lifecycle(),
  maintenance_until: m.admin_server_until(),
  host: m.admin_server_host(),
  game_port: m.admin_server_port(),
  query_port: m.admin_server_query_port(),
  adapter: m.admin_server_adapter(),
  poll_interval_s: m.admin_server_interval(),
  version: m.admin_server_version(),
  flavour: m.admin_server_flavour(),
  mods: m.admin_server_mods(),
  show_details: m.admin_server_show_details(),
  player_list: m.admin_server_player_list(),
  join_link: m.admin_server_join(),
  join_code: m.admin_server_join_code(),
  password: m.admin_server_password(),
  password_access: m.admin_server_password_access(),
  access_note_en: m.admin_server_access_note_en(),
  access_note_de: m.admin_server_access_note_de(),
  links: m.admin_server_links(),
  description_en: m.admin_game_description_en(),
  description_de: m.admin_game_description_de(),
});

/** Fields of each fold: an error in one opens it, and its summary shows what is set. */
const FOLDS = {
  state: ["lifecycle", "maintenance_until", "user_max", "server_locations"],
  asking: ["query_port", "poll_interval_s", "adapter_options", "adapter_secrets"],
  players: ["join_link", "version", "flavour", "access_note_en", "access_note_de"],
  about: ["description_en", "description_de", "links", "mods", "show_details", "player_list"],
} as const satisfies Record<string, readonly Folded[]>;

const PASSWORD_ACCESS_LABELS: Record<PasswordAccess, () => string> = {
  none: m.admin_server_password_none,
  public: m.admin_server_password_public,
  members: m.admin_server_password_members,
  ask: m.admin_server_password_ask,
};

type Props = {
  values: GameServerTexts;
  fieldErrors: FieldErrors;
  choices: GameServerChoices;
  /** Secrets for polling the server; a new `revision` means that the typed ones have been saved. */
  secrets?: { kept: ShownSecrets; revision: string };
};

export function GameServerFormFields({ values, fieldErrors, choices, secrets }: Props) {
  const { games, types, limits } = choices;
  const t = fieldLabels();
  const field = (name: Exclude<keyof GameServerTexts, "options" | "links" | TickName>) => ({
    name,
    label: t[name],
    defaultValue: values[name],
    error: fieldErrors[name],
    autoComplete: "off",
  });
  const tick = (name: TickName) => ({ name, label: t[name], defaultChecked: values[name] });
  const number = (name: "user_max" | "game_port" | "query_port" | "poll_interval_s", least: number, most: number) => ({
    ...field(name),
    type: "number",
    inputMode: "numeric" as const,
    min: least,
    max: most,
    step: 1,
  });
  const { typed, read } = useTyped(values);
  const { timeZone } = useReaderZone();
  const code = { autoCapitalize: "none", spellCheck: false };
  const fold = (name: keyof typeof FOLDS) => ({
    name,
    fields: FOLDS[name],
    fieldErrors,
    said: saidOf(FOLDS[name], typed, t, secrets?.kept ?? {}, timeZone),
    onToggle: (at: HTMLElement) => read(at.closest("form")),
  });
  return (
    <>
      <FormSection title={m.admin_server_what()}>
        <FormRow of={3}>
          <SelectField
            {...field("game_id")}
            required
            missing={m.admin_fault_choose_game()}
            options={[
              { value: "", label: m.field_choose() },
              ...games.map(({ game_id, game_name }) => ({ value: String(game_id), label: game_name })),
            ]}
          />
          <TextField {...field("server_name")} required maxLength={limits.name} />
          <SelectField
            {...field("visibility")}
            options={VISIBILITIES.map((value) => ({ value, label: visibilityText(value) }))}
          />
        </FormRow>
      </FormSection>

      <FormSection title={m.admin_server_where()} note={m.admin_server_where_note()}>
        <FormRow of={3}>
          <TextField {...field("host")} {...code} maxLength={limits.host} placeholder={EXAMPLES.host} />
          <TextField {...number("game_port", 1, 65_535)} />
          <SelectField
            {...field("adapter")}
            options={ADAPTER_IDS.map((id) => ({ value: id, label: adapterLabel(id) }))}
            onChange={({ currentTarget }) => {
              read(currentTarget.form);
              openWhatIsNeeded(currentTarget);
            }}
          />
        </FormRow>
      </FormSection>

      <FormSection title={m.admin_server_who()}>
        <FormRow of={3}>
          <TextField
            {...field("join_code")}
            {...code}
            maxLength={limits.join_code}
            hint={m.admin_server_join_code_hint()}
          />
          <TextField
            {...field("password")}
            {...code}
            maxLength={limits.password}
            hint={m.admin_server_password_hint()}
          />
          <SelectField
            {...field("password_access")}
            options={PASSWORD_ACCESS.map((value) => ({ value, label: PASSWORD_ACCESS_LABELS[value]() }))}
          />
        </FormRow>
      </FormSection>

      <FormFold {...fold("state")} title={m.admin_server_state()}>
        <FormRow>
          <SelectField
            {...field("lifecycle")}
            options={LIFECYCLES.map((value) => ({ value, label: lifecycleText(value) }))}
          />
          <TextField {...number("user_max", 0, limits.user_max)} hint={m.admin_server_max_hint()} />
        </FormRow>
        <div className={css.until}>
          <MomentField
            {...field("maintenance_until")}
            label={(zone) => m.admin_server_until_in({ zone })}
            hint={m.admin_server_until_hint()}
          />
        </div>
        <TextField {...field("server_locations")} hint={m.admin_server_locations_hint()} />
      </FormFold>

      <FormFold {...fold("asking")} title={m.admin_server_asking()}>
        <FormRow>
          <TextField {...number("query_port", 1, 65_535)} hint={queryPortHint(typed.adapter)} />
          <TextField {...number("poll_interval_s", 1, limits.interval_s)} hint={m.admin_server_interval_hint()} />
        </FormRow>
        <OptionFields values={values.options} fieldErrors={fieldErrors} types={types} />
        <SecretFields key={secrets?.revision} kept={secrets?.kept ?? {}} longest={limits.secret} />
      </FormFold>

      <FormFold {...fold("players")} title={m.admin_server_players()}>
        <JoinLinkField {...field("join_link")} values={values} games={games} maxLength={limits.link} />
        <FormRow>
          <TextField {...field("version")} maxLength={limits.version} />
          <TextField {...field("flavour")} maxLength={limits.flavour} placeholder={EXAMPLES.flavour} />
        </FormRow>
        <FormRow>
          <TextField
            {...field("access_note_en")}
            maxLength={limits.access_note}
            lang="en"
            hint={m.admin_server_access_note_hint()}
          />
          <TextField {...field("access_note_de")} maxLength={limits.access_note} lang="de" />
        </FormRow>
      </FormFold>

      <FormFold {...fold("about")} title={m.admin_server_about()}>
        <FormRow>
          <TextArea {...field("description_en")} rows={4} maxLength={limits.description} lang="en" />
          <TextArea {...field("description_de")} rows={4} maxLength={limits.description} lang="de" />
        </FormRow>
        <GameServerLinks value={values.links} fieldErrors={fieldErrors} most={limits.links} />
        <TextArea {...field("mods")} {...code} rows={4} hint={m.admin_server_mods_hint()} />
        <CheckField {...tick("show_details")} hint={m.admin_server_show_details_hint()} />
        <CheckField {...tick("player_list")} hint={m.admin_server_player_list_hint()} />
      </FormFold>
    </>
  );
}

/** Explains which port an adapter polls when the query port is empty. */
function queryPortHint(chosen: string): string {
  const id = ADAPTER_IDS.find((one) => one === chosen);
  const usual = id && ADAPTER_FACTS[id].usualQueryPort;
  if (id === undefined || usual === undefined) return m.admin_server_query_port_hint();
  const adapter = adapterLabel(id);
  return typeof usual === "number"
    ? m.admin_server_query_port_usual({ adapter, port: String(usual) })
    : m.admin_server_query_port_above({ adapter, count: String(usual.above) });
}

/** Returns the form's current values, read when a fold is toggled or another adapter is chosen. */
function useTyped(values: GameServerTexts) {
  const [typed, setTyped] = useState(values);
  return { typed, read: (form: HTMLFormElement | null) => form && setTyped(readFields(new FormData(form), values)) };
}

/** Opens the options that the chosen adapter can't work without. */
function openWhatIsNeeded(adapter: HTMLSelectElement): void {
  const needed = ADAPTER_OPTIONS.find(({ adapter: of, kind }) => of === adapter.value && kind === "game");
  const secret = ADAPTER_SECRETS.find((one) => one.adapter === adapter.value);
  const name = needed ? inputName(needed.name) : secret && `secret_${secret.name}`;
  const input = name && adapter.form?.elements.namedItem(name);
  if (input instanceof HTMLElement) input.closest("details")?.setAttribute("open", "");
}
