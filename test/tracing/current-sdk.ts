import { TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeEach } from "vitest";
import { registerSdk, type SpanRecorder } from "./recorded-spans.ts";

/** Registers the current SDK for the tests of a file, each of which begins without spans. */
export function useSdk(): SpanRecorder {
  const { recorder, unregister } = registerSdk(
    (processor) => new TracerProvider({ spanProcessors: [processor] }),
  );
  beforeEach(() => recorder.clear());
  afterAll(unregister);
  return recorder;
}
