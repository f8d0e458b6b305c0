import type { Attributes, Context } from "@opentelemetry/api";
import { printFailure } from "../base/util/callbacks.ts";
import type { OpenTelemetry } from "./api.ts";
import { harmless } from "./harmless.ts";
import { attribute, detailsEvent } from "./names.ts";

/** What is JSON on a span is a value in an event. */
const contentNames: ReadonlySet<string> = new Set([
  attribute.inputMessages,
  attribute.outputMessages,
  attribute.instructions,
  attribute.toolDefinitions,
]);

let isReported = false;

/**
 * Emits the event that has the content of a model call.
 * @param context - That of the call's span.
 * @param attributes - Those of the span, and the content as it would be on a span.
 */
export function emitDetails(api: OpenTelemetry, context: Context, attributes: Attributes): void {
  // The API has logs from 1.10 on.
  if (!("logs" in api)) {
    if (!isReported)
      printFailure(
        "skein/tracing",
        new TypeError('content: "events" needs @opentelemetry/api 1.10 or later'),
      );
    isReported = true;
    return;
  }
  const values = Object.entries(attributes).map(([name, value]) => [
    name,
    contentNames.has(name) && typeof value === "string" ? JSON.parse(value) : value,
  ]);
  const event = { eventName: detailsEvent, context, attributes: Object.fromEntries(values) };
  harmless(() => api.logs.getLogger("skein").emit(event));
}
