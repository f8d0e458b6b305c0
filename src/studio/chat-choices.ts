import { isPlainObject } from "../base/util/json.ts";
import type { InputObject } from "../protocols/kit/input-object.ts";
import { Refusal } from "../server/refusal.ts";
import type { Authorized } from "../server/types.ts";

/** The model and the context of runs that the page starts. */
export type Choice = Pick<Authorized, "model" | "context">;

/** The header by which a request that starts a run says what the run has. */
const header = "x-skein-choice";

/** How many are kept: each is used as soon as it was made. */
const most = 20;

/** What runs of the chat are to have, kept under ids: a context may be longer than the headers of a request. */
export class ChatChoices {
  readonly #choices = new Map<string, Choice>();

  /**
   * Keeps a choice.
   * @param body - `model` and `context`, either of which may be missing.
   * @returns its id.
   * @throws InvalidInputError, Refusal (400)
   */
  add(body: InputObject): string {
    const model = body.optionalText("model", 1_000) ?? "";
    const context = body.get("context");
    if (context !== undefined && !isPlainObject(context))
      throw new Refusal(400, "invalid-context", 'The context must be a JSON object, such as {"user":"ada"}.');
    const id = crypto.randomUUID();
    this.#choices.set(id, { ...(model !== "" && { model }), ...(context && { context }) });
    for (const oldest of this.#choices.keys()) {
      if (this.#choices.size <= most) break;
      this.#choices.delete(oldest);
    }
    return id;
  }

  /** @throws Refusal (409) for an id that is not kept: a run without its context would be another one. */
  get(id: string | undefined): Choice {
    if (id === undefined) return {};
    const choice = this.#choices.get(id);
    if (choice) return choice;
    throw new Refusal(409, "no-choice", "The model and the context were forgotten. Send the message again.");
  }

  /** What a request has chosen that starts a run; others have nothing to choose. */
  ofStart({ method, url, headers }: Request): Choice {
    const startsRun = method === "POST" && /^\/runs\/[^/]+$/.test(new URL(url).pathname);
    return startsRun ? this.get(headers.get(header) ?? undefined) : {};
  }
}
