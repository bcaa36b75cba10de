// Telegram: sends a message as a bot.
import { below, defineService, jsonRequest, numberAt, textWithLink } from "./service.ts";

export const telegram = defineService({
  name: "Telegram",
  docs: "https://core.telegram.org/bots/api#sendmessage",
  public: false,
  help: {
    en: "Create a bot with @BotFather, add it to the chat, and enter its token and the chat’s ID.",
    de: "Lege bei @BotFather einen Bot an, nimm ihn in den Chat auf und gib sein Token und die ID des Chats ein.",
  },
  fields: {
    token: {
      kind: "secret",
      label: { en: "Bot token", de: "Token des Bots" },
      pattern: /^\d{1,20}:[-_A-Za-z0-9]{20,100}$/,
    },
    chat: {
      kind: "text",
      label: { en: "Chat ID", de: "ID des Chats" },
      hint: { en: "A number, or @name of a public channel.", de: "Eine Zahl, oder @Name eines öffentlichen Kanals." },
      pattern: /^(?:-?\d{1,20}|@\w{1,64})$/,
    },
    topic: {
      kind: "text",
      label: { en: "Topic ID", de: "ID des Themas" },
      optional: true,
      pattern: /^\d{1,15}$/,
    },
    server: {
      kind: "url",
      label: { en: "Bot API server", de: "Server der Bot-API" },
      default: "https://api.telegram.org",
    },
  },
  shows: ({ chat }) => chat,
  request: ({ token, chat, topic, server }, message) =>
    jsonRequest(below(server, `bot${token}/sendMessage`), {
      chat_id: chat,
      // 4,096 characters at most.
      text: `${message.title}\n\n${textWithLink(message)}`.slice(0, 4000),
      link_preview_options: { is_disabled: true },
      ...(topic !== "" && { message_thread_id: Number(topic) }),
    }),
  retryAfterS: ({ body }) => numberAt(body, "parameters", "retry_after"),
});
