// The filter of a list of game servers: read from the address, and written back to it without asking the server.
import { useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { type FilterChoices, filterQuery, readFilter, type ServerFilter } from "#shared/server-filter.ts";

/** The filter, and the function that changes a part of it: the list follows at once, the address is replaced. */
export function useServerFilter(choices: FilterChoices): [ServerFilter, (change: Partial<ServerFilter>) => void] {
  const { search } = useLocation();
  const [, setQuery] = useSearchParams();
  const read = () => ({ search, filter: readFilter(new URLSearchParams(search), choices) });
  const [state, setState] = useState(read);
  let current = state;
  // Another address than the one that was read last: a link, or back and forward.
  if (state.search !== search) {
    current = read();
    setState(current);
  }

  function change(part: Partial<ServerFilter>) {
    const filter = { ...current.filter, page: 1, ...part };
    setState({ ...current, filter });
    setQuery(filterQuery(filter), { replace: true, preventScrollReset: true, defaultShouldRevalidate: false });
  }
  return [current.filter, change];
}
