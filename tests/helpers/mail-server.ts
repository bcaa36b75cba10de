/** A mail server on loopback that speaks real SMTP, keeps what it is given and refuses what a test wants refused. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

type Answer = [number, string] | null;

type ReceivedMail = { from: string; to: string[]; raw: string };

export type MailServer = {
  /** For SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  close(): Promise<void>;
};

/**
 * @param answers `recipient`, `message`: an SMTP refusal such as `[550, "no such user"]`, or null to accept.
 *   `startTls`: encryption is offered, with a certificate that nobody vouches for.
 */
export async function startMailServer(
  answers: {
    recipient?: (address: string) => Answer;
    message?: () => Answer | Promise<Answer>;
    startTls?: boolean;
  } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: answers.startTls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    logger: false,
    onRcptTo({ address }, _session, done) {
      done(refusal(answers.recipient?.(address)));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", async () => {
        const refused = refusal(await answers.message?.());
        if (!refused) {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(parts).toString("utf8"),
          });
        }
        done(refused);
      });
    },
  });
  // A client that hangs up in the middle is no fault of ours.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text of a raw mail with its quoted-printable coding undone, enough to look for words in it. */
export function readableMail(raw: string): string {
  const bytes = raw
    .replace(/(?<!\?)=\r?\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (coded) => Buffer.from(coded.replaceAll("=", ""), "hex").toString("utf8"));
  return bytes.replaceAll("\r\n", "\n");
}

function refusal(answer: Answer | undefined): Error | null {
  return answer ? Object.assign(new Error(answer[1]), { responseCode: answer[0] }) : null;
}
