// State of the game server list: current filter, pending change, and stable rows. Live figures change within rows; no row moves,
// appears or disappears under a pointer because a player joined a game.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { filterQuery, isFiltering, type ServerFilter } from "#shared/server-filter.ts";
import { useFavourites } from "../../../favourites.ts";
import { here } from "../../../language.ts";
import type { ServerList } from "./server-list.ts";

/**
 * Returns the list at `path` (in English), starting with the loader's.
 * - `filter`: as chosen, at once; rows follow. `isBusy`: rows are loading.
 * - `change` loads another filter and replaces the address.
 * - `linkTo`: target of a filter, and the address it then shows.
 * - `favourites`: null until hydration.
 */
export function useServerList(path: string, list: ServerList) {
  const location = useLocation();
  const navigate = useNavigate();
  const navigation = useNavigation();
  const favourites = useFavourites();
  // The server doesn't know favourites: until hydration the page stays as sent.
  const wantsOwn = favourites !== null && new URLSearchParams(location.search).get("favourites") === "1";
  const said = { ...list.filter, favourites: wantsOwn };
  const [chosen, choose] = useState({ at: location.key, filter: null as ServerFilter | null });
  if (chosen.at !== location.key) choose({ at: location.key, filter: null });
  const filter = (chosen.at === location.key && chosen.filter) || said;
  const servers = useSettledRows(list, said);
  const newest = useRef<ServerFilter>(null);
  const isLeaving = navigation.state === "loading" && navigation.location.pathname !== location.pathname;

  function linkTo(wanted: ServerFilter): { to: string; mask?: string } {
    const address = path + filterQuery(wanted);
    if (!wanted.favourites) return { to: address };
    const ids = [...(favourites ?? [])].join();
    return ids === "" ? { to: address } : { to: `${address}&ids=${ids}`, mask: address };
  }

  function change(part: Partial<ServerFilter>) {
    const wanted = { ...filter, page: 1, ...part };
    choose({ at: location.key, filter: wanted });
    newest.current = wanted;
    const { to, mask } = linkTo(wanted);
    if (isLeaving) return;
    // Paints the press first: starting a navigation takes a phone longer. A link pressed meanwhile wins.
    const giveUp = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest("a")) newest.current = null;
    };
    const painted = new AbortController();
    for (const type of ["click", "popstate"]) addEventListener(type, giveUp, { capture: true, signal: painted.signal });
    afterPaint(() => {
      painted.abort();
      if (newest.current !== wanted) return;
      void navigate(here(to), { replace: true, preventScrollReset: true, ...(mask && { mask: here(mask) }) });
    });
  }

  // The address asks for favourites but has no ids: only this browser knows them.
  const lacksIds = wantsOwn && (favourites?.size ?? 0) > 0 && !new URLSearchParams(location.search).has("ids");
  const ask = useEffectEvent(() => {
    const { to, mask = "" } = linkTo(said);
    void navigate(here(to) + location.hash, {
      replace: true,
      preventScrollReset: true,
      mask: here(mask) + location.hash,
    });
  });
  useEffect(() => {
    if (lacksIds) ask();
  }, [lacksIds]);

  const none = wantsOwn && favourites?.size === 0;
  return {
    list: none ? { ...list, servers: [], found: 0, pages: 1, besides: "" } : { ...list, servers },
    filter,
    isFiltering: isFiltering(said),
    isBusy: navigation.state === "loading" && navigation.location.pathname === location.pathname,
    change,
    linkTo,
    favourites,
    noFavourites: none,
  };
}

/**
 * Keeps the rows in the order of this address's first load. When the page is reloaded for another reason, they stay; a row that
 * moved to another page of the list is requested by id, so that it stays too, unless it is gone.
 */
function useSettledRows(list: ServerList, filter: ServerFilter): ServerList["servers"] {
  const location = useLocation();
  const navigate = useNavigate();
  const navigation = useNavigation();
  const [kept, keep] = useState({ key: location.key, list });
  const moved = kept.key === location.key && kept.list !== list && !isSameOrder(kept.list, list);
  if (!moved && kept.list !== list) keep({ key: location.key, list });

  const ask = useEffectEvent(() => {
    const query = new URLSearchParams(location.search);
    query.set("keep", kept.list.servers.map(({ server_id }) => server_id).join());
    const mask = `${location.pathname}${filterQuery(filter)}${location.hash}`;
    void navigate({ search: `?${query}`, hash: location.hash }, { replace: true, preventScrollReset: true, mask });
  });
  const isIdle = navigation.state === "idle";
  useEffect(() => {
    if (moved && isIdle) ask();
  }, [moved, isIdle]);

  if (!moved) return list.servers;
  const fresh = new Map(list.servers.map((server) => [server.server_id, server]));
  return kept.list.servers.map((server) => fresh.get(server.server_id) ?? server);
}

const afterPaint = (act: () => void) => requestAnimationFrame(() => setTimeout(act));

const isSameOrder = (one: ServerList, other: ServerList): boolean =>
  one.servers.length === other.servers.length &&
  one.servers.every(({ server_id }, n) => server_id === other.servers[n]?.server_id);
