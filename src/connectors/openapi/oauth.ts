import { isPlainObject } from "../../base/util/json.ts";
import { Lru } from "../../base/util/lru.ts";
import { type ClientCredentials, basic } from "./credentials.ts";
import { secretHider } from "../../model/hide-secrets.ts";
import { type NetworkPolicy, readBytes, send } from "./network.ts";
import { percent } from "./serialize.ts";

/** Milliseconds before its end at which a token is not used any more. */
const margin = 30_000;

/** How long a token is kept whose server does not say it, in milliseconds. */
const usualLife = 300_000;

/** How long a server may take for a token, in milliseconds. */
const patience = 30_000;

/** What a server grants: a token, and how long it is good, in milliseconds. */
interface Grant {
  readonly secret: string;
  readonly life: number;
}

/** A client with its secret as it is now. */
interface Client extends ClientCredentials {
  readonly clientSecret: string;
}

/** How many tokens are kept. */
const mostTokens = 1_000;

interface Token {
  readonly secret: Promise<string>;
  /** `undefined` while it is on its way. */
  goodUntil?: number;
}

/** Exchanges client credentials for tokens (RFC 6749, section 4.4), and keeps each until shortly before it expires. */
export class CachedTokens {
  readonly #tokens = new Lru<Token>(mostTokens, mostTokens);
  readonly #policy: NetworkPolicy;

  constructor(policy: NetworkPolicy) {
    this.#policy = policy;
  }

  /**
   * A token that is good; calls at the same time share one request.
   * @param refused a token that the API did not take, though it should be good still.
   */
  async token(
    tokenUrl: string,
    client: Client,
    scopes: readonly string[],
    refused?: string,
  ): Promise<string> {
    const key = JSON.stringify([tokenUrl, client.clientId, client.clientSecret, scopes]);
    const cached = this.#tokens.get(key);
    const isGood = cached && (cached.goodUntil === undefined || Date.now() < cached.goodUntil);
    if (isGood && (await cached.secret) !== refused) return cached.secret;
    return this.#renew(key, this.#ask(tokenUrl, client, scopes));
  }

  #renew(key: string, request: Promise<Grant>): Promise<string> {
    const secret = request.then(({ secret, life }) => {
      token.goodUntil = Date.now() + Math.max(life - margin, 0);
      return secret;
    });
    const token: Token = { secret };
    this.#tokens.set(key, token, 1);
    // Those who wait get the error; the next call asks again.
    secret.catch(() => this.#tokens.delete(key));
    return secret;
  }

  async #ask(
    tokenUrl: string,
    { clientId, clientSecret, authentication = "basic" }: Client,
    scopes: readonly string[],
  ): Promise<Grant> {
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    if (scopes.length > 0) form.set("scope", scopes.join(" "));
    const headers = new Headers({
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
    if (authentication === "basic")
      headers.set("authorization", `Basic ${basic(percent(clientId), percent(clientSecret))}`);
    else {
      form.set("client_id", clientId);
      form.set("client_secret", clientSecret);
    }
    const init = { method: "POST", headers, body: form.toString(), signal: AbortSignal.timeout(patience) };
    // Secrets go to this address and nowhere else.
    const response = await send(tokenUrl, init, this.#policy, () => false);
    const { bytes } = await readBytes(response, 100_000);
    const answer = parsed(new TextDecoder().decode(bytes));
    const secret = isPlainObject(answer) ? answer["access_token"] : undefined;
    if (!response.ok || typeof secret !== "string" || secret === "") {
      const why =
        isPlainObject(answer) && typeof answer["error"] === "string"
          ? `, ${secretHider([clientSecret], {}, 4).text(answer["error"]).slice(0, 100)}`
          : "";
      throw new Error(`the token server ${new URL(tokenUrl).host} gave no token (${response.status}${why})`);
    }
    const seconds = isPlainObject(answer) ? Number(answer["expires_in"]) : Number.NaN;
    return { secret, life: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : usualLife + margin };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
