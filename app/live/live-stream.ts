// Feeds the live stream into a page's store: by a worker that all tabs of the browser share, or by a stream of its own.
import type { LiveStore } from "#shared/live/live-store.ts";
import { tellSession } from "./auth-events.ts";
import type { FromTab, ToTab } from "./live-tabs.ts";

export type FollowedStream = { showAgain(): void; leave(): void };

/**
 * Feeds the stream into the store until ended; `showAgain`: the store's topics have changed.
 * @param worker the one that the browser's tabs share; null: it has none
 */
export function followLiveStream(store: LiveStore, worker: SharedWorker | null): FollowedStream {
  let send: ((message: FromTab) => void) | null = null;
  let left = false;

  function receive(message: ToTab): void {
    if (left) return;
    if (message.type === "session") tellSession(message.signedIn);
    else if (message.type === "state") store.setState(message.state);
    else {
      if (message.type === "message") store.receive(message.message);
      store.stand(message.at);
    }
  }

  function show() {
    const topics = store.topics();
    send?.({ type: "shows", topics, figures: store.snapshotOf(topics), at: store.position() });
  }

  function begin(to: (message: FromTab) => void) {
    if (left) return;
    send = to;
    show();
  }

  const alone = () => void import("./live-tabs.ts").then(({ createLiveTabs }) => begin(createLiveTabs()(receive)));
  if (worker) {
    worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => receive(data);
    worker.addEventListener("error", alone, { once: true });
    begin((message) => worker.port.postMessage(message));
  } else alone();

  return {
    showAgain: show,
    leave() {
      store.setState("leaving");
      send?.({ type: "leaves" });
      left = true;
      worker?.port.close();
      store.setState("closed");
    },
  };
}
