import { credentialsIn, shortestKey } from "../model/secrets.ts";
import { secretsInUrl } from "../testing/recording/secrets.ts";

/** The headers that say who pays, whatever the provider calls them. Others have values that texts may have, too. */
const keyHeader = /authorization|api-?key|token|secret/i;

/** How many are kept: those that were sent last. */
const most = 200;

/** The keys that the models of this process send, which no page shows: a prompt or an answer may have them, too. */
export class OwnSecrets {
  readonly #secrets = new Set<string>();
  /** Changes with the secrets. */
  version = 0;

  get all(): readonly string[] {
    return [...this.#secrets];
  }

  /** Notes the keys of a request. */
  note(url: string, headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      if (!keyHeader.test(name)) continue;
      const credentials = credentialsIn(value);
      for (const secret of credentials.length > 0 ? credentials : [value]) this.#add(secret);
    }
    if (url.includes("?") && URL.canParse(url)) for (const secret of secretsInUrl(url)) this.#add(secret);
  }

  #add(secret: string): void {
    if (secret.length < shortestKey || /\s/.test(secret)) return;
    // That of the newest request is the last to be forgotten.
    if (!this.#secrets.delete(secret)) this.version++;
    this.#secrets.add(secret);
    const [oldest] = this.#secrets;
    if (this.#secrets.size > most && oldest !== undefined) this.#secrets.delete(oldest);
  }
}
