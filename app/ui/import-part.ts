// Retries importing a part whose file could not be fetched: Chromium 150 repeats the first failure for the same address.

/** Calls `load`; after a failure imports by an address with a query: the error names the file in Chromium and Firefox. */
export async function importPart<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [file] = /https?:\/\/\S+\.js/.exec(String(error)) ?? [];
    if (!file?.startsWith(`${location.origin}/assets/`)) throw error;
    return import(/* @vite-ignore */ `${file}?again=${Date.now()}`);
  }
}
