// Matrix: sends a message to a room as a user of the home server.
import { below, defineService, hostOf, jsonRequest, numberAt, textWithLink } from "./service.ts";

export const matrix = defineService({
  name: "Matrix",
  docs: "https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid",
  public: false,
  help: {
    en: "Create an account for the site, invite it to the room, and copy the account’s access token and the room’s internal ID.",
    de: "Lege ein Konto für die Website an, lade es in den Raum ein und kopiere das Zugriffstoken des Kontos und die interne ID des Raums.",
  },
  fields: {
    server: {
      kind: "url",
      label: { en: "Home server", de: "Heimserver" },
      default: "https://matrix.org",
    },
    room: {
      kind: "text",
      label: { en: "Room ID", de: "ID des Raums" },
      hint: { en: "Such as !abc:example.org.", de: "Zum Beispiel !abc:example.org." },
      max: 255,
      pattern: /^![^\s/]+$/,
    },
    token: { kind: "secret", label: { en: "Access token", de: "Zugriffstoken" }, max: 500 },
  },
  shows: ({ server, room }) => `${hostOf(server)} ${room}`,
  request: ({ server, room, token }, message) =>
    jsonRequest(
      // The server drops a repeat of the same id.
      below(server, `_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${message.id}`),
      { msgtype: "m.text", body: `${message.title}\n${textWithLink(message)}`, "m.mentions": {} },
      { Authorization: `Bearer ${token}` },
      "PUT",
    ),
  retryAfterS({ body }) {
    const waitMs = numberAt(body, "retry_after_ms");
    return waitMs === null ? null : Math.ceil(waitMs / 1000);
  },
});
