/**
 * P4 beside nchan: from the order to change a row to the last of 5,000 browsers, p99, ÷ nchan (a module of nginx, in C) from the
 * order to publish the same event to as many. Ours has the commit, the NOTIFY, the reading and the encoding in it.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createMarks, roundOfChanges } from "../instruments/change-round.ts";
import { measurePairs, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";
import { changeOneRow, startSite } from "../instruments/site-process.ts";
import { openStreamReaders, type StreamReaders } from "../instruments/stream-readers.ts";
import { startPeer } from "./peer-process.ts";

const STREAMS = Number(process.env.BENCH_STREAMS) || 5_000;

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const nchan = await startPeer({ debian: "libnginx-mod-nchan", program: "nginx", args: told }).catch(async (error) => {
    await site.stop();
    throw error;
  });
  const opened: StreamReaders[] = [];
  try {
    const mark = createMarks();
    const ours = await openStreamReaders(site.port, STREAMS);
    opened.push(ours);
    const first = mark();
    await ours.untilAll(first, () => changeOneRow(site.database, first));
    const sample = ours.sample();
    const [data = ""] = sample.slice(sample.lastIndexOf("data: ", sample.indexOf(first)) + 6).split("\n\n", 1);
    const publish = async (text: string) => {
      const answer = await fetch(`${nchan.url}/publish`, { method: "POST", body: data.replace(first, text) });
      await answer.arrayBuffer();
    };
    // Whoever comes later begins with the newest event, as with us.
    await publish(first);
    const theirs = await openStreamReaders(nchan.port, STREAMS, { headers: "Accept: text/event-stream\r\n" });
    opened.push(theirs);
    const pairs = await measurePairs(
      () => roundOfChanges(ours, mark, (text) => changeOneRow(site.database, text)),
      () => roundOfChanges(theirs, mark, publish),
    );
    const what = `commit to browser, p99, ${STREAMS} streams, ${data.length} bytes ÷ nchan, one worker, from the order to publish`;
    return [{ claim: "P4", what, ...rowOfPairs(pairs, "ms"), better: "less" }];
  } finally {
    for (const readers of opened) await readers.close();
    await nchan.stop();
    await site.stop();
  }
}

async function told(port: number, folder: string): Promise<string[]> {
  const file = path.join(folder, "nginx.conf");
  const root = process.getuid?.() === 0 ? "user root;" : "";
  await writeFile(
    file,
    `${root} daemon off; pid ${folder}/pid; error_log stderr error; worker_processes 1; worker_rlimit_nofile 65536;
load_module /usr/share/nginx/modules/ngx_nchan_module.so;
events { worker_connections 30000; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  server {
    listen 127.0.0.1:${port};
    location / { return 204; }
    location = /live { nchan_subscriber eventsource; nchan_channel_id site; nchan_subscriber_first_message oldest; }
    location = /publish { nchan_publisher; nchan_channel_id site; nchan_message_buffer_length 1; }
  }
}
`,
  );
  return ["-p", folder, "-c", file];
}
