import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "../server/refusal.ts";

/** The header that has the token. No page of another site can send it without leave. */
const tokenHeader = "x-skein-studio";

/** What the page has to know to be answered: 256 random bits, new in each process. */
export class StudioToken {
  readonly text: string = randomBytes(32).toString("base64url");
  readonly #hash = hashOf(this.text);

  /** @throws Refusal (401) unless the request has the token. */
  check(request: Request): void {
    const text = request.headers.get(tokenHeader) ?? "";
    // Hashes are of one length: how long the comparison takes says nothing.
    if (timingSafeEqual(hashOf(text), this.#hash)) return;
    throw new Refusal(401, "unauthorized", "Open the address that the studio has printed: it has the token.");
  }
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
