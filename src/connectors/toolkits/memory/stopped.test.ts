import { Agent } from "skein";
import { FunctionModel } from "skein/testing";
import { memory } from "skein/toolkits";
import { expect, test } from "vitest";
import { stopAtEveryEvent } from "../test-stops.ts";
import { commands, places } from "./test-memory.ts";

test.each(places)("in %s, wherever a run is stopped, each note is there once", async (_, place) => {
  const notes = ["one", "two", "three"];
  const view = [{ toolName: "memory", arguments: { command: "view", path: "/memories/log.md" } }];
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    const text = last?.role === "tool" ? JSON.stringify(last.result.content) : "";
    if (text.includes("does not exist"))
      return {
        toolCalls: [
          {
            toolName: "memory",
            arguments: { command: "create", path: "/memories/log.md", file_text: "# Log\n" },
          },
        ],
      };
    if (!text.includes("with line numbers")) return { toolCalls: view };
    const next = notes.findIndex((note) => !text.includes(note));
    if (next < 0) return "Done.";
    const args = {
      command: "insert",
      path: "/memories/log.md",
      insert_line: next + 1,
      insert_text: notes[next] ?? "",
    };
    return { toolCalls: [{ toolName: "memory", arguments: args }] };
  });
  const events = await stopAtEveryEvent(
    () => {
      const kit = memory(place());
      return { kit, agent: new Agent({ name: "A", model, tools: [kit] }) };
    },
    async ({ kit }) => {
      const [text] = await commands(kit, { command: "view", path: "/memories/log.md" });
      expect(text).toContain("     1\t# Log\n     2\tone\n     3\ttwo\n     4\tthree");
      expect(text?.match(/one|two|three/g)).toHaveLength(3);
      await kit.close();
    },
  );
  expect(events).toBeGreaterThan(40);
});
