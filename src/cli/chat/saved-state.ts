import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import { inputMessages } from "../../run/input.ts";
import { errorMessage } from "../../util/error-message.ts";
import { isPlainObject } from "../../util/json.ts";

/**
 * Reads what `/save` wrote.
 * @throws ConfigurationError (`state-file`) naming the file and what is wrong with it.
 */
export async function readSavedState(file: string): Promise<RunState> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isState(value)) throw new Error("it holds no state of version 1");
    inputMessages(value);
    return value;
  } catch (error) {
    throw new ConfigurationError(
      `${file} cannot be taken up: ${errorMessage(error)}. Give a file that /save wrote.`,
      { code: "state-file", cause: error },
    );
  }
}

function isState(value: unknown): value is RunState {
  return (
    isPlainObject(value) &&
    value["version"] === 1 &&
    typeof value["agent"] === "string" &&
    Array.isArray(value["messages"])
  );
}
