import { sseResponse } from "../../base/stream/sse-response.ts";
import { encodeEvents, type RunEventSource } from "../kit/source.ts";
import { ChunkStream, FrameStream } from "./chunk-streams.ts";
import type { UIMessageChunk } from "./chunks.ts";
import { UIMessageEncoder } from "./encoder.ts";
import {
  checkedChunkOptions,
  checkedResponseOptions,
  type UIMessageChunkOptions,
  type UIMessageResponseOptions,
} from "./options.ts";

/**
 * The events of a run as chunks of the AI SDK's UI message stream (version 1, https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol), which
 * `useChat`, `readUIMessageStream` and `createUIMessageStream` read.
 * - A turn is a step. Calls are static tool parts (`tool-<name>`), which pages can give a type by `UIMessage`'s third parameter.
 * - A handoff is a part `data-handoff`, an agent that a tool runs a part `data-agent`, a message to a run that works a `steering-message`.
 * - A call that waits for a decision is a part with the state `approval-requested`, also if an agent within the run made it.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @throws ConfigurationError (`invalid-option`)
 */
export function toUIMessageChunks(
  source: RunEventSource,
  options: UIMessageChunkOptions = {},
): AsyncIterableIterator<UIMessageChunk, void> {
  const encoder = new UIMessageEncoder(checkedChunkOptions(options));
  return new ChunkStream(encodeEvents(source, encoder), encoder);
}

/**
 * The same as a response of a route that `useChat` posts to: server-sent events, each of them one chunk, with `[DONE]` at the end. If the
 * reader leaves, the run goes on; `onCancel: () => running.cancel()` ends it.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @throws ConfigurationError (`invalid-option`)
 */
export function toUIMessageResponse(
  source: RunEventSource,
  options: UIMessageResponseOptions = {},
): Response {
  const { keepAlive, onCancel } = options;
  const encoder = new UIMessageEncoder(checkedResponseOptions(options));
  return sseResponse(new FrameStream(encodeEvents(source, encoder), encoder), {
    headers: { "x-vercel-ai-ui-message-stream": "v1" },
    ...(keepAlive !== undefined && { keepAlive }),
    ...(onCancel && { onCancel }),
  });
}
