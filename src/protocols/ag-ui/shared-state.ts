import type { JsonValue } from "../../base/util/json.ts";
import { toJson } from "../../base/util/to-json.ts";
import { ignoreRejections } from "../../base/util/dropped-promises.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
import { asyncState } from "./options.ts";
import { patchOf } from "./json-patch.ts";
import type { AgUiEvent } from "./types.ts";

/** What a client has of the context: what the program has chosen of it, sent whole first, and then what has changed. */
export class SharedState {
  readonly #choose: ((context: unknown) => unknown) | undefined;
  readonly #send: (event: AgUiEvent) => void;
  #last: JsonValue | undefined;

  /** @param choose - The program's function, which may throw. */
  constructor(choose: ((context: unknown) => unknown) | undefined, send: (event: AgUiEvent) => void) {
    this.#choose = choose;
    this.#send = send;
  }

  /** Sends what the client does not have yet. */
  update(context: unknown): void {
    const chosen = this.#choose?.(context);
    if (chosen === undefined) return;
    if (isPromiseLike(chosen)) {
      ignoreRejections(chosen);
      throw asyncState("toAgUiEvents()");
    }
    const { value } = toJson(chosen);
    const delta = this.#last === undefined ? undefined : patchOf(this.#last, value);
    this.#last = value;
    if (delta?.length === 0) return;
    // Clients refuse such a path.
    const isWhole = !delta || delta.some(({ path }) => path === "" || path.includes("__proto__"));
    this.#send(isWhole ? { type: "STATE_SNAPSHOT", snapshot: value } : { type: "STATE_DELTA", delta });
  }
}
