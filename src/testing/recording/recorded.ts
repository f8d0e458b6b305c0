import { ConfigurationError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { readRecording } from "./file.ts";
import type { ModelSource } from "./model-source.ts";
import { record, recordOptions, type RecordOptions } from "./record.ts";
import { replay, replayOptions, type ReplayOptions } from "./replay.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/**
 * Runs a test with a model that is recorded once and replayed ever after. With `SKEIN_RECORD=1` in the environment, `source`
 * is asked and `__recordings__/<name>.jsonl` beside the test is rewritten; else the recording answers, on the wire where
 * that was kept, and every exchange must have been asked for once the test is done.
 * @param name - Such as `"refund/denied"`
 * @param beside - The test's own `import.meta.url`
 * @param source - The real model; or how it is made with a `fetch`
 * @throws SkeinError (`recording-missing`, `replay-mismatch`, `recording-incomplete`), and what the test throws.
 */
export async function recorded<T>(
  name: string,
  beside: string | URL,
  source: ModelSource,
  test: (model: Model) => T | Promise<T>,
  options: RecordOptions & ReplayOptions = {},
): Promise<T> {
  assertKnownOptions(options, { ...recordOptions, ...replayOptions }, "recorded()");
  const file = fileOf(name, beside);
  if (globalThis.process?.env["SKEIN_RECORD"] === "1")
    return test(record(source, file, { secrets: options.secrets ?? [] }));
  const hasWire = readRecording(file).some(({ wire }) => wire);
  const model = replay(file, { ...options, ...(hasWire && { model: source }) });
  const value = await test(model);
  model.assertComplete();
  return value;
}

function fileOf(name: string, beside: string | URL): URL {
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.includes("..")) {
    throw new ConfigurationError(
      `"${name}" is not a name for a recording. Use letters, digits, ".", "_", "-" and "/".`,
      {
        code: "invalid-name",
      },
    );
  }
  return new URL(`__recordings__/${name}.jsonl`, beside);
}
