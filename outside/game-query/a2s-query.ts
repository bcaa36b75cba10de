/** Polls a game server over A2S (Valheim, Project Zomboid, ARK, The Front, Source games): one connected UDP socket per query. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";
import type { QueryFailure } from "#shared/statuses.ts";
import { type A2sAbout, countPlayerList, readAbout, readInfoReply, readPlayerNames, readRules } from "./a2s-reply.ts";
import { findRuled } from "./a2s-rules.ts";
import { SplitReplies } from "./a2s-split.ts";
import { answerWithoutFigures, type GameAnswer, type QueryResult, type QueryTarget } from "./answer.ts";
import { failureOfError } from "./network-failure.ts";
import { resendAfterMs } from "./udp-exchange.ts";

const infoRequest = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1");
/** The headers of a reply in one packet, and of each packet of a split one. */
const single = 0xffffffff;
const split = 0xfffffffe;

/** Node's timers may fire slightly early. */
const timerToleranceMs = 2;
const mostChallenges = 4;
/** Duplicates and strays are ignored, a flood is not. */
const mostPackets = 256;
const shortestReply = 5;

/**
 * Polls `target`; never rejects. `countFromPlayerList` also requests the player list and uses its length (ARK); games with wrong
 * info get a query of their rules (a2s-rules.ts). If only such a second query gets no reply, its fields are null. `deadlineMs`
 * limits the whole query, 2,000 by default. Bots are not counted. `onAbout` receives the reply's other facts before the end.
 */
export function queryA2s(
  target: QueryTarget,
  options: {
    countFromPlayerList?: boolean;
    wantsNames?: boolean | undefined;
    deadlineMs?: number;
    onAbout?: (about: A2sAbout) => void;
  } = {},
): Promise<QueryResult> {
  return new Promise((resolve) => {
    const query = new A2sQuery(target, options.countFromPlayerList === true, options.deadlineMs ?? 2000, resolve);
    query.onAbout = options.onAbout;
    query.wantsNames = options.wantsNames === true;
    query.start();
  });
}

type Reception = "waiting" | "done" | "malformed";

class A2sQuery {
  onAbout: ((about: A2sAbout) => void) | undefined;
  /** Decodes the names of the player list; otherwise they stay bytes. */
  wantsNames = false;
  readonly #target: QueryTarget;
  readonly #countFromPlayerList: boolean;
  readonly #deadlineMs: number;
  readonly #resolve: (result: QueryResult) => void;
  readonly #startedAt = performance.now();
  #socket: Socket | null = null;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #request: Buffer = infoRequest;
  #sentAt = this.#startedAt;
  #timesSent = 0;
  #challenge = single;
  #challenges = 0;
  #packets = 0;
  #splitReplies: SplitReplies | null = null;
  /** The first reply, while others are pending: their fields are null in it. */
  #info: GameAnswer | null = null;
  #infoLatencyMs = 0;
  #appId = 0;
  /** The queries after the first one, in order. */
  readonly #open: ("rules" | "players")[] = [];

  constructor(
    target: QueryTarget,
    countFromPlayerList: boolean,
    deadlineMs: number,
    resolve: (result: QueryResult) => void,
  ) {
    this.#target = target;
    this.#countFromPlayerList = countFromPlayerList;
    this.#deadlineMs = deadlineMs;
    this.#resolve = resolve;
  }

  start(): void {
    const failure = this.#connect();
    if (failure) this.#fail(failure);
    else this.#ask(infoRequest);
  }

  #connect(): QueryFailure | null {
    const family = isIP(this.#target.address);
    if (family === 0) return "blocked";
    try {
      const socket = createSocket(family === 6 ? "udp6" : "udp4");
      this.#socket = socket;
      socket.on("error", (error) => this.#fail(failureOfError(error, false)));
      socket.on("message", (packet: Buffer, from: RemoteInfo) => {
        // The kernel drops other senders once connected; this covers the moment between bind and connect.
        if (this.#socket && from.port === this.#target.port && this.#receive(packet) === "malformed") {
          this.#fail("malformed");
        }
      });
      socket.connectSync(this.#target.port, this.#target.address);
      return null;
    } catch (error) {
      return failureOfError(error, true);
    }
  }

  #ask(request: Buffer): void {
    this.#request = request;
    this.#timesSent = 1;
    this.#sentAt = performance.now();
    // Sent without a callback (which would cost a turn of the queue): if sending failed, the resend reports it.
    this.#socket?.send(request);
    // One timer serves all requests of a query; it checks what is due when it fires. After the last resend it is set to the
    // deadline, which is too late for the next request's first resend.
    const expiresAt = this.#startedAt + this.#deadlineMs;
    if (this.#resendAt() < this.#wakesAt) this.#wakeAt(Math.min(this.#resendAt(), expiresAt), this.#sentAt);
  }

  #wakeAt(at: number, now: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    this.#timer = setTimeout(this.#onTime, Math.max(0, at - now));
  }

  readonly #onTime = (): void => {
    const now = performance.now();
    const expiresAt = this.#startedAt + this.#deadlineMs;
    if (now >= expiresAt - timerToleranceMs) {
      // After a stall of this process a reply may be unread: it is read before this runs.
      setImmediate(this.#onExpired);
      return;
    }
    let resendAt = this.#resendAt();
    if (now >= resendAt - timerToleranceMs) {
      this.#sentAt = now;
      this.#timesSent++;
      this.#socket?.send(this.#request, this.#onSent);
      resendAt = this.#resendAt();
    }
    this.#wakeAt(Math.min(resendAt, expiresAt), now);
  };

  #resendAt(): number {
    return this.#sentAt + (resendAfterMs[this.#timesSent - 1] ?? Number.POSITIVE_INFINITY);
  }

  readonly #onSent = (error: Error | null): void => {
    if (error) this.#fail(failureOfError(error, false));
  };

  #receive(packet: Buffer): Reception {
    if (++this.#packets > mostPackets || packet.length < shortestReply) return "malformed";
    const header = packet.readUInt32LE(0);
    if (header === single) return this.#read(packet);
    if (header !== split) return "malformed";
    this.#splitReplies ??= new SplitReplies();
    const whole = this.#splitReplies.add(packet);
    if (whole === null || whole === "malformed") return whole ?? "waiting";
    return whole.length < shortestReply ? "malformed" : this.#read(whole);
  }

  #read(reply: Buffer): Reception {
    switch (reply[4]) {
      case 0x41:
        return this.#answerChallenge(reply);
      case 0x49:
        return this.#info ? "waiting" : this.#takeInfo(reply);
      case 0x44:
        return this.#open[0] === "players" ? this.#takePlayers(reply) : "waiting";
      case 0x45:
        return this.#open[0] === "rules" ? this.#takeRules(reply) : "waiting";
      case 0x6d:
        // Old GoldSrc servers send this form of the reply in addition to the requested one.
        return "waiting";
      default:
        return "malformed";
    }
  }

  #answerChallenge(reply: Buffer): Reception {
    if (reply.length < 9) return "malformed";
    const challenge = reply.readUInt32LE(5);
    // Repeated requests bring the same challenge twice.
    if (challenge === this.#challenge && this.#challenges > 0) return "waiting";
    if (++this.#challenges > mostChallenges) return "malformed";
    this.#challenge = challenge;
    this.#askNext();
    return "waiting";
  }

  #askNext(): void {
    const [next] = this.#open;
    this.#ask(next ? listRequestWith(next, this.#challenge) : infoRequestWith(this.#challenge));
  }

  #takeInfo(reply: Buffer): Reception {
    const info = readInfoReply(reply);
    if (!info) return "malformed";
    const { answer, appId } = info;
    this.#infoLatencyMs = performance.now() - this.#sentAt;
    const about = this.onAbout && readAbout(reply);
    if (about) this.onAbout?.(about);
    const ruled = findRuled(appId);
    if (ruled) this.#open.push("rules");
    if (this.#countFromPlayerList || this.wantsNames) this.#open.push("players");
    if (this.#open.length === 0) return this.#succeed(answer);
    this.#appId = appId;
    this.#info = { ...answer, ...ruled?.doubted, ...(this.#countFromPlayerList && { players: null }) };
    this.#splitReplies = null;
    // Most servers accept the challenge of the first query; the others send a new one.
    this.#askNext();
    return "waiting";
  }

  #takeRules(reply: Buffer): Reception {
    const rules = readRules(reply);
    return this.#learn((rules && findRuled(this.#appId)?.read(rules)) ?? {});
  }

  /** Adds the result of a second query; then sends the next one. */
  #learn(told: Partial<GameAnswer>): Reception {
    const answer = { ...(this.#info ?? answerWithoutFigures), ...told };
    this.#open.shift();
    this.#splitReplies = null;
    if (this.#open.length === 0) return this.#succeed(answer);
    this.#info = answer;
    this.#askNext();
    return "waiting";
  }

  #takePlayers(reply: Buffer): Reception {
    return this.#learn({
      ...(this.#countFromPlayerList && { players: countPlayerList(reply) }),
      ...(this.wantsNames && { playerNames: readPlayerNames(reply) }),
    });
  }

  readonly #onExpired = (): void => {
    this.#fail(this.#packets > 0 ? "timeout" : "no_reply");
  };

  #succeed(answer: GameAnswer): Reception {
    this.#end({ ok: true, latencyMs: this.#infoLatencyMs, answer });
    return "done";
  }

  #fail(failure: QueryFailure): void {
    // The first reply has arrived: the server is up, only the count stays unknown.
    if (this.#info) this.#succeed(this.#info);
    else this.#end({ ok: false, latencyMs: performance.now() - this.#startedAt, failure });
  }

  #end(result: QueryResult): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#resolve(result);
  }
}

function infoRequestWith(challenge: number): Buffer {
  const request = Buffer.allocUnsafe(infoRequest.length + 4);
  request.set(infoRequest);
  request.writeUInt32LE(challenge, infoRequest.length);
  return request;
}

function listRequestWith(list: "rules" | "players", challenge: number): Buffer {
  const request = Buffer.from(`\xff\xff\xff\xff${list === "rules" ? "V" : "U"}\xff\xff\xff\xff`, "latin1");
  request.writeUInt32LE(challenge, 5);
  return request;
}
