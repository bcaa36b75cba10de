/** A program: a store that speaks S3. Arguments: address, port, folder. */
import { createRequire } from "node:module";

const [address, port, directory] = process.argv.slice(2);
const Store = createRequire(new URL("../heavy/package.json", import.meta.url))("s3rver");
const configureBuckets = [{ name: "spawnpoint-avatars", configs: [] }];
await new Store({ address, port: Number(port), directory, silent: true, configureBuckets }).run();
