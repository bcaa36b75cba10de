/** A store that speaks S3, on loopback: s3rver, which is not ours. */
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { BUCKETS } from "../../domain/media/buckets.ts";
import type { S3Settings } from "../../outside/object-storage.ts";

type S3rver = { run(): Promise<{ port: number }>; close(): Promise<void> };
type S3rverOptions = {
  address: string;
  port: number;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string; configs: [] }[];
};

/** Starts it with the buckets of a site. Throws when tests/heavy is not installed. */
export async function startS3Store(): Promise<{ settings: S3Settings; stop(): Promise<void> }> {
  const Server = createRequire(import.meta.url)("s3rver") as new (options: S3rverOptions) => S3rver;
  const directory = await mkdtemp(path.join(tmpdir(), "spawnpoint-s3-"));
  const bucketPrefix = "spawnpoint-";
  const server = new Server({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: BUCKETS.map(({ name }) => ({ name: bucketPrefix + name, configs: [] })),
  });
  const { port } = await server.run();
  return {
    // The only account that this server knows.
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      bucketPrefix,
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
