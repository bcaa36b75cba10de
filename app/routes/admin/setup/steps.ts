// Steps of the setup for readers: names, addresses and order.
import type { MissingSetting, SetupStep } from "#domain/site/setup.ts";
import { m } from "../../../paraglide/messages.js";

/** Pages of the setup: its steps, and a last one with the outcome. */
export type SetupPage = SetupStep | "done";

const TEXTS: Record<SetupPage, { label: () => string; title: () => string; note: () => string }> = {
  brand: { label: m.admin_setup_brand, title: m.admin_setup_brand_title, note: m.admin_setup_brand_note },
  games: { label: m.admin_setup_games, title: m.admin_setup_games_title, note: m.admin_setup_games_note },
  servers: { label: m.admin_setup_servers, title: m.admin_setup_servers_title, note: m.admin_setup_servers_note },
  contact: { label: m.admin_setup_contact, title: m.admin_setup_contact_title, note: m.admin_setup_contact_note },
  legal: { label: m.admin_setup_legal, title: m.admin_setup_legal_title, note: m.admin_setup_legal_note },
  mail: { label: m.admin_setup_mail, title: m.admin_setup_mail_title, note: m.admin_setup_mail_note },
  backup: { label: m.admin_setup_backup, title: m.admin_setup_backup_title, note: m.admin_setup_backup_note },
  done: { label: m.admin_setup_done, title: m.admin_setup_done_title, note: m.admin_setup_done_note },
};

const PAGES = Object.keys(TEXTS) as SetupPage[];

export const setupLabel = (page: SetupPage): string => TEXTS[page].label();
export const setupTitle = (page: SetupPage): string => TEXTS[page].title();
export const setupNote = (page: SetupPage): string => TEXTS[page].note();

const TODO: Record<SetupStep, () => string> = {
  brand: m.admin_setup_brand_todo,
  games: m.admin_setup_games_todo,
  servers: m.admin_setup_servers_todo,
  contact: m.admin_setup_contact_note,
  legal: m.admin_setup_legal_note,
  mail: m.admin_setup_mail_note,
  backup: m.admin_setup_backup_todo,
};

/** Returns the benefit of an open step. */
export const setupTodo = (step: SetupStep): string => TODO[step]();

/** English address of a page. */
export const setupAddress = (page: SetupPage): string => `/admin/setup?step=${page}`;

/** Returns the page in an address; null: none. */
export const pageIn = (search: URLSearchParams): SetupPage | null =>
  PAGES.find((page) => page === search.get("step")) ?? null;

export const pageAfter = (step: SetupStep): SetupPage => PAGES[PAGES.indexOf(step) + 1] ?? "done";
export const pageBefore = (page: SetupPage): SetupPage | null => PAGES[PAGES.indexOf(page) - 1] ?? null;

const MISSING: Record<MissingSetting, () => string> = {
  discord_url: m.admin_dash_missing_discord_url,
  operator_name: m.admin_dash_missing_operator_name,
  operator_address: m.admin_dash_missing_operator_address,
  contact_email: m.admin_dash_missing_contact_email,
  mail_server: m.admin_dash_missing_mail_server,
};

/** Returns the purpose of an empty setting. */
export const missingText = (name: MissingSetting): string => MISSING[name]();
