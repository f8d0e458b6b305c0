/**
 * A response whose stream is cancelled when its request is aborted: what sends it waits for the next piece, and would hold the
 * stream of a client that is gone until there is one.
 */
export function cancelWith(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const reader = body.getReader();
  const cancel = (reason?: unknown): Promise<void> => {
    signal.removeEventListener("abort", onAbort);
    return reader.cancel(reason);
  };
  // A stream that cannot be cancelled has ended by itself.
  const onAbort = (): void => void cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        signal.removeEventListener("abort", onAbort);
        controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, statusText, headers });
}
