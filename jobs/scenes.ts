// Draws a picture for each game that has none, in a process of its own, and puts its files where uploaded ones are.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { planScene, type ScenePlan } from "#art/named-scene.ts";
import type { SceneFiles } from "#art/scene-files.ts";
import type { Db } from "#db/client.ts";
import { findCatalogueGame } from "#domain/games/catalogue.ts";
import { namePicture, storeFiles } from "#domain/media/files.ts";
import { removeGamePictures } from "#domain/media/media.ts";
import { claimDueScene, type DueScene, keepScene, putOffScene } from "#domain/media/scenes.ts";
import type { ObjectStorage, StorageError } from "#outside/object-storage.ts";

const PROGRAM = fileURLToPath(new URL("../art/scene-process.ts", import.meta.url));
/** A drawing takes some two seconds; on a machine that is busy with something else it may take its time. */
const LIMIT_MS = 90_000;
/** When the store does not answer, or a drawing failed: it is tried again after so many minutes. */
const AGAIN_MINUTES = { storage: 1, drawing: 15 };

type Parts = { db: Db; storage: ObjectStorage; log: Logger };

/** Draws what is due, one picture after another. Rejects while the database is away; what was taken is due again in 2 min. */
export async function drawScenes({ signal, ...parts }: Parts & { signal: AbortSignal }): Promise<void> {
  while (!signal.aborted) {
    const due = await claimDueScene(parts.db);
    if (!due) return;
    await drawFor(parts, due, signal);
  }
}

async function drawFor({ db, storage, log }: Parts, due: DueScene, signal: AbortSignal): Promise<void> {
  const about = { game_id: due.game_id };
  const hint = due.catalogue_id === null ? undefined : findCatalogueGame(due.catalogue_id)?.scene;
  const plan = planScene(due.game_name, due.scene_take, hint, due.others);
  let drawn: SceneFiles;
  try {
    drawn = await drawApart(plan, signal);
  } catch (err) {
    // What a stop cuts off is due again when the claim ends.
    if (signal.aborted) return;
    log.warn({ err, ...about }, "the scene of a game could not be drawn; it is tried again");
    await putOffScene(db, due, AGAIN_MINUTES.drawing);
    return;
  }
  const { picture, files } = namePicture(drawn);
  const failed = (err: StorageError) =>
    log.warn({ err, ...about }, "the scene of a game could not be stored; it is tried again");
  if (!(await storeFiles(storage, files, failed))) {
    await putOffScene(db, due, AGAIN_MINUTES.storage);
    return;
  }
  const { land, view, time, hue } = plan;
  const { unused } = await keepScene(db, due, { ...picture, shows: { land, view, time, hue } });
  if (unused)
    await removeGamePictures(storage, [unused], (err) =>
      log.warn({ err, ...about }, "files of a scene that nothing shows stay in the store"),
    );
}

/** Draws in a process of its own, so that this one goes on answering. */
function drawApart(plan: ScenePlan, signal: AbortSignal): Promise<SceneFiles> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [], {
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      killSignal: "SIGKILL",
      // Pictures travel as bytes; nothing of the site's environment does.
      serialization: "advanced",
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let said = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-2000);
    });
    child.once("error", reject);
    child.once("message", (made) => resolve(made as SceneFiles));
    child.once("close", (code, killed) => reject(new Error(`the drawing ended with ${killed ?? code}: ${said}`)));
    child.send(plan, (error) => error && reject(error));
  });
}
