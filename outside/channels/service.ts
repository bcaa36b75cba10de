// Defines a message service that an operator connects as a channel: its settings, and the request that sends one message.

/** A text in the site's languages. */
type Text = { en: string; de: string };

/** A setting of a service as the form asks for it. */
export type Field = {
  label: Text;
  hint?: Text;
  /** `secret`: never shown again. `lines`: several lines. */
  kind: "text" | "url" | "secret" | "lines";
  /** The form is valid without it. */
  optional?: true;
  /** Shown in a new form. */
  default?: string;
  /** Characters (200). */
  max?: number;
  /** What a value must look like. */
  pattern?: RegExp;
};

/** A channel's settings by name; an optional one that was left empty is "". */
export type Settings<Name extends string = string> = Readonly<Record<Name, string>>;

/** What is sent. All texts are plain: each service escapes them for its own markup. */
export type ServiceMessage = {
  /** The same for every attempt, so that a service can recognise a repeat. */
  id: string;
  /** Time of this attempt, in whole seconds since 1970. */
  timestampS: number;
  title: string;
  text: string;
  /** Absolute URL of the page about it, or null. */
  url: string | null;
  /** The event in full, as webhooks get it (docs/notifications.md). */
  event: ServiceEvent;
};

/** `data` may grow. */
export type ServiceEvent = { type: string; timestamp: string; data: Record<string, unknown> };

export type ServiceRequest = {
  method: "POST" | "PUT";
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** A service's response; `body` is its beginning. */
type ServiceResponse = { status: number; body: string };

export type Service<Name extends string = string> = {
  /** As its maker writes it. */
  name: string;
  /** Where its maker documents what is used here; null: nowhere. */
  docs: string | null;
  /**
   * Whether anyone may read along. True: hidden and members-only game servers and the site's own troubles never go there. False:
   * only people whom an admin chose.
   */
  public: boolean;
  /** How to get the settings. */
  help: Text;
  fields: Record<Name, Field>;
  /** The part of the settings by which admins recognise the channel. No secret. */
  shows(settings: Settings<Name>): string;
  /** Finds a setting that can't work; null: none. */
  check?(settings: Settings<Name>): Name | null;
  request(settings: Settings<Name>, message: ServiceMessage): ServiceRequest;
  /** Seconds that a refusal asks to wait, where the service says so in the body; null: it doesn't. */
  retryAfterS?(response: ServiceResponse): number | null;
};

/** Makes a service; its settings' names are checked where it reads them. */
export const defineService = <const Name extends string>(service: Service<Name>): Service => service as Service;

/** A request with a JSON body. */
export const jsonRequest = (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  method: ServiceRequest["method"] = "POST",
): ServiceRequest => ({
  method,
  url,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** The address below a service's base address, with or without a slash at its end. */
export const below = (base: string, path: string): string => `${base.replace(/\/+$/, "")}/${path}`;

/** The text with its link below, for services without links of their own. */
export const textWithLink = ({ text, url }: ServiceMessage): string => (url === null ? text : `${text}\n${url}`);

export const hostOf = (url: string): string => URL.parse(url)?.host ?? "";

/** Reads a non-negative number at a path of a JSON body; null if missing. */
export function numberAt(body: string, ...path: string[]): number | null {
  try {
    let value: unknown = JSON.parse(body);
    for (const name of path) value = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
    return typeof value === "number" && value >= 0 ? value : null;
  } catch {
    return null;
  }
}
