import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";
import type { TokenStore } from "./types.ts";

/** What one server and its authorization server have given us. */
export interface Grant {
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  /** Where users were to be sent back to when the client was registered. */
  readonly redirectUrl?: string | undefined;
}

/** Where the grant of a client is kept. */
export interface GrantPlace {
  readonly store: TokenStore;
  readonly key: Promise<string>;
}

/** What a store has of a server; nothing where that is of no form we know. */
export async function readGrant({ store, key }: GrantPlace): Promise<Grant> {
  const text = await store.get(await key);
  let value: unknown;
  try {
    value = text === undefined ? undefined : JSON.parse(text);
  } catch {
    return {};
  }
  if (!isPlainObject(value)) return {};
  const { client, tokens, redirectUrl } = value;
  return {
    ...(isClient(client) && { client }),
    ...(isTokens(tokens) && { tokens }),
    ...(typeof redirectUrl === "string" && { redirectUrl }),
  };
}

function isClient(value: unknown): value is StoredOAuthClientInformation {
  return isPlainObject(value) && typeof value["client_id"] === "string";
}

function isTokens(value: unknown): value is StoredOAuthTokens {
  return (
    isPlainObject(value) &&
    typeof value["access_token"] === "string" &&
    typeof value["token_type"] === "string"
  );
}
