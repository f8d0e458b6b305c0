import { readFile } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { Agent } from "skein";
import { chat } from "skein/cli";
import { offline } from "skein/offline";
import { expect } from "vitest";

/**
 * Says to the agent, on the offline model, what the transcript in an example's README says (its lines that begin with `> `), and
 * expects the README to tell what came of it, to the letter.
 */
export async function expectTranscript<C>(example: string, agent: Agent<C>, context?: C): Promise<void> {
  const readme = await readFile(new URL(`../../examples/${example}/README.md`, import.meta.url), "utf8");
  const [, transcript] = /^```\n(> .*?)^```/ms.exec(readme) ?? [];
  if (transcript === undefined)
    throw new Error(`The README of ${example} has no block that begins with "> ".`);
  const said = transcript.split("\n").flatMap((line) => (line.startsWith("> ") ? [line.slice(2)] : []));
  expect(await chatOffline(agent, said, context)).toBe(transcript);
}

/** What `skein chat` prints if these lines are piped in, without the notice of the offline model. */
export async function chatOffline<C>(
  agent: Agent<C>,
  lines: readonly string[],
  context?: C,
): Promise<string> {
  const output = new PassThrough();
  const printed = readAll(output);
  await chat(agent.model === undefined ? agent.with({ model: offline() }) : agent, {
    input: Readable.from(`${lines.join("\n")}\n`),
    output,
    ...(context !== undefined && { context }),
  });
  output.end();
  return (await printed).replace(/^Offline stand-in.*\n/, "");
}
