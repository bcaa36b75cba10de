// How many live streams one address holds open: each costs memory for as long as it is held.
import type { ServerResponse } from "node:http";
import { limitedAddress } from "./visit.ts";

/**
 * Makes what an open stream asks for its place, which is its own until the response is closed. False: `most` of them are
 * held by the address, an IPv6 one by its /64.
 */
export function limitStreams(most: number) {
  const held = new Map<string, number>();
  return (ip: string, response: ServerResponse): boolean => {
    const address = limitedAddress(ip);
    const count = held.get(address) ?? 0;
    if (count >= most) return false;
    held.set(address, count + 1);
    response.once("close", () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left > 0) held.set(address, left);
      else held.delete(address);
    });
    return true;
  };
}
