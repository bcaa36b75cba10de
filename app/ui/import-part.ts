// Imports a part of a page again whose file could not be fetched: Chromium 150 answers a second import of the same address with the first failure.

/** As `load`, and by an address with a query where that failed; the message of the failure names the file in Chromium and Firefox. */
export async function importPart<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [file] = /https?:\/\/\S+\.js/.exec(String(error)) ?? [];
    if (!file?.startsWith(`${location.origin}/assets/`)) throw error;
    return import(/* @vite-ignore */ `${file}?again=${Date.now()}`);
  }
}
