/** A Worker with a Durable Object that checks the store of its runs, and executes none. */
import type { DurableObjectContext } from "skein/durable/cloudflare";
import { checkStore } from "skein/testing/conformance";
import { ObjectStore } from "../../../src/durable/cloudflare/object-store.ts";

export class Team {
  readonly #store: ObjectStore;

  constructor(context: DurableObjectContext) {
    this.#store = new ObjectStore(context);
  }

  alarm(): void {}

  async fetch(): Promise<Response> {
    // An object has one instance: both programs of the check are this one.
    return Response.json(await checkStore(() => this.#store));
  }
}

/** What the Worker is started with. */
interface Bindings {
  readonly TEAM: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

const handler = {
  fetch: (request: Request, { TEAM }: Bindings): Promise<Response> =>
    TEAM.get(TEAM.idFromName("team")).fetch(request),
};

// oxlint-disable-next-line import/no-default-export -- the platform asks for one
export { handler as default };
