// Builds the address of a batch of pasted addresses, on any page that has the panel.

/** `at`: the page's address; may have a query. */
export function batchAddress(at: string, batchId: number): string {
  const url = new URL(at, "http://page.invalid");
  url.searchParams.set("batch", String(batchId));
  return url.pathname + url.search;
}
