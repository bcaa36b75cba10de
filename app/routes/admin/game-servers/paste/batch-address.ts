// Where a batch of pasted addresses stands: one address each, on whichever page the panel is.

/** `at`: the page's own address, perhaps with a search of its own. */
export function batchAddress(at: string, batchId: number): string {
  const url = new URL(at, "http://page.invalid");
  url.searchParams.set("batch", String(batchId));
  return url.pathname + url.search;
}
