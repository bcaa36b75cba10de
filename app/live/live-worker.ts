// The shared worker: holds the live stream for all tabs of a browser.
import { createLiveTabs } from "./live-tabs.ts";

const connect = createLiveTabs();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const receive = connect((message) => port.postMessage(message));
  port.onmessage = ({ data }) => receive(data);
});
