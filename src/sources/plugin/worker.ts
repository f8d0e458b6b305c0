/**
 * The plugin's work in a process of its own, for bundlers whose runtime cannot speak with TypeScript: requests come in,
 * and answers go out, as JSON, one a line.
 */
import { createInterface } from "node:readline";
import { errorMessage } from "../../base/util/error-message.ts";
import { createSession } from "./session.ts";
import type { Answer, Request } from "./remote-session.ts";

const session = createSession();

async function answer({ id, method, file, code }: Request): Promise<Answer> {
  try {
    if (method === "begin") session.begin();
    if (method === "changed" || method === "new") session.changed(file, method === "new");
    const result = method === "transform" ? await session.transform(file, code) : undefined;
    return { id, ...(result && { result }) };
  } catch (error) {
    return { id, error: errorMessage(error) };
  }
}

// The end of the input is the end of the process: the process that started it has ended, or is done.
for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
}
session.close();
