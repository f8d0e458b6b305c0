import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import type { RootsOptions } from "./types.ts";

/** Answers the server's question for roots. */
export function serveRoots(client: Client, roots: RootsOptions): void {
  client.setRequestHandler("roots/list", async () => {
    const places = typeof roots === "function" ? await roots() : roots;
    return { roots: places.map((place) => ({ uri: rootUri(place) })) };
  });
}

function rootUri(place: string): string {
  return place.startsWith("file:") ? place : pathToFileURL(resolve(place)).href;
}
