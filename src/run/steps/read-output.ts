import type { ActiveRun } from "../state/active-run.ts";

/** The output that a run would take from a text; `undefined` where it has none, and for a text that does not fit. */
export async function readOutput({ output }: ActiveRun, text: string): Promise<unknown> {
  const read = await output?.read(text);
  return read?.ok ? read.value : undefined;
}
