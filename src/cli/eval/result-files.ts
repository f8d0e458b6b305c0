import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../../errors.ts";
import type { EvalResult } from "../../evals/results.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";

/**
 * Reads the results that `skein eval --json` has written.
 * @param title - What the file is called in errors, such as `The baseline before.json`.
 * @throws ConfigurationError (`baseline-file`)
 */
export async function readResults(
  file: string,
  title: string = `The baseline ${file}`,
): Promise<readonly EvalResult[]> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw fileError(title, `cannot be read: ${errorMessage(error)}`);
  }
  const results = isPlainObject(read) && read["version"] === 1 ? read["results"] : undefined;
  if (Array.isArray(results) && results.every(isResult)) return results;
  throw fileError(title, "has no results. Pass a file that skein eval --json wrote.");
}

/** Whether a file has results, and not a recording. What cannot be read is neither. */
export async function hasResults(file: string): Promise<boolean> {
  try {
    const read: unknown = JSON.parse(await readFile(file, "utf8"));
    return isPlainObject(read) && Array.isArray(read["results"]);
  } catch {
    return false;
  }
}

function isResult(value: unknown): value is EvalResult {
  return (
    isPlainObject(value) &&
    value["version"] === 1 &&
    typeof value["name"] === "string" &&
    isPlainObject(value["summary"]) &&
    typeof value["summary"]["passRate"] === "number" &&
    Array.isArray(value["cases"]) &&
    value["cases"].every((each) => isPlainObject(each) && typeof each["name"] === "string")
  );
}

function fileError(title: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${title} ${problem}`, { code: "baseline-file" });
}
