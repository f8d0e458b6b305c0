/** A message that a provider cannot take is refused once: the conversation goes on with what the user writes next. */
import { expect, test } from "vitest";
import { Agent, run, UnsupportedPartError, type UserMessage } from "skein";
import { memorySession } from "skein/sessions";
import { streamed } from "./answers.ts";
import { serve } from "./local-server.ts";
import { modelOver, protocols, type Protocol } from "./protocols.ts";

const refused: UserMessage = {
  role: "user",
  content: [
    { type: "text", text: "What is in it?" },
    { type: "file", url: "data:video/x-odd;base64,AA==", mediaType: "video/x-odd", filename: "odd.bin" },
    { type: "image", url: "elsewhere:file-1" },
    // As large as what is uploaded, where uploads are on.
    { type: "file", url: `data:application/pdf;base64,${"?".repeat(400_000)}`, mediaType: "application/pdf" },
  ],
};

async function desk(protocol: Protocol, uploads = false) {
  const server = await serve((index) =>
    streamed(protocol, { id: `answer${index}`, text: `Answer ${index}.`, calls: [] }),
  );
  return { server, agent: new Agent({ name: "Desk", model: modelOver(protocol, { ...server, uploads }) }) };
}

const ways = protocols.flatMap((protocol) => [false, true].map((uploads) => ({ protocol, uploads })));

test.each(ways)("$protocol, uploads: $uploads: the next message is answered, with a note", async (way) => {
  const { server, agent } = await desk(way.protocol, way.uploads);
  await using _ = server;
  const session = memorySession();
  await expect(run(agent, [refused], { session })).rejects.toThrow(UnsupportedPartError);
  // The same message again is the same question.
  await expect(run(agent, [], { session })).rejects.toThrow(UnsupportedPartError);
  const second = await run(agent, "Then only text.", { session });
  expect(second.text).toBe("Answer 0.");
  expect(second.warnings.join("\n")).toMatch(/does not accept the image/);
  expect(server.received[0]?.text).toMatch(/What is in it\?.*which cannot be shown.*Then only text\./s);
  expect((await run(agent, "And now?", { session })).text).toBe("Answer 1.");
});

test.each(protocols)("%s: what another model has answered is refused still", async (protocol) => {
  const { server, agent } = await desk(protocol);
  await using _ = server;
  const answered = {
    role: "assistant",
    content: [{ type: "text", text: "A heron." }],
    toolCalls: [],
    agent: "Desk",
  } as const;
  const next = { role: "user", content: "How big?" } as const;
  await expect(run(agent, [refused, answered, next])).rejects.toThrow(UnsupportedPartError);
  expect(server.received).toEqual([]);
});
