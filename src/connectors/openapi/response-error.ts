import { SkeinError } from "../../errors.ts";

/** A server's response with a status other than success. */
export class OpenApiResponseError extends SkeinError {
  static override readonly name: string = "OpenApiResponseError";

  /** The HTTP status. */
  readonly status: number;
  /** Whether the same request may succeed later: it can be tried again by the policy `retries`. */
  readonly isTransient: boolean;

  constructor(message: string, status: number, isTransient: boolean) {
    super(message, { code: "http-error", data: { status } });
    this.status = status;
    this.isTransient = isTransient;
  }
}
