export type { Encoder, RunEventSource, SourceEvent } from "../kit/source.ts";
export type { ShowOptions } from "../../run/public/show.ts";
export type { PublicError } from "../../run/public/public-error.ts";
export { toEventStream, type EventStreamOptions } from "../events/to-event-stream.ts";
