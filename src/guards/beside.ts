import type { ModelEvent, ModelRequest } from "../model/types.ts";
import type { ModelStepInfo } from "../tool/step-middleware.ts";
import type { Decision } from "./verdict.ts";

/**
 * The events of a model that answers while its input is checked: none comes out before the verdict, and none at all if that is to block.
 * @param decide - Checks, until its signal is aborted.
 */
export async function* besideCheck(
  request: ModelRequest,
  info: ModelStepInfo,
  next: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  decide: (signal: AbortSignal) => Promise<Decision>,
): AsyncGenerator<ModelEvent, void> {
  const left = new AbortController();
  const { signal = info.signal } = request;
  const deciding = decide(AbortSignal.any([info.signal, left.signal]));
  const events = next({ ...request, signal: AbortSignal.any([signal, left.signal]) })[Symbol.asyncIterator]();
  const buffer: ModelEvent[] = [];
  let coming = startStep(events);
  try {
    let decision: Decision | undefined;
    while (!decision) {
      const first = await Promise.race([deciding, coming]);
      if ("kind" in first) decision = first;
      else if (first.done) decision = await deciding;
      else {
        buffer.push(first.value);
        coming = startStep(events);
      }
    }
    if (decision.kind === "block") {
      info.block(decision.reason);
      left.abort();
      // Until it has stopped, what it used cannot be counted.
      await coming.catch(() => undefined);
      return;
    }
    yield* buffer;
    for (let step = await coming; !step.done; step = await events.next()) yield step.value;
  } finally {
    left.abort();
    deciding.catch(() => undefined);
    await events.return?.();
  }
}

/** Reads the next event, whose failure may come while nobody waits for it. */
function startStep(events: AsyncIterator<ModelEvent>): Promise<IteratorResult<ModelEvent>> {
  const step = events.next();
  step.catch(() => undefined);
  return step;
}
