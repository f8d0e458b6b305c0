/** What the page about editors shows works: its agent, and the settings of the editors. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTypes, newProject } from "../skein-command.ts";
import { cardsOf, startEditor } from "./editor.ts";

const page = await readFile(new URL("../../docs/editors.md", import.meta.url), "utf8");

/** The arguments that the settings of the page have for the command. */
const settings = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => {
  const { agent_servers: servers }: { agent_servers: Record<string, { command: string; args: string[] }> } =
    JSON.parse(text);
  return servers["Scribe"];
});

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await addTypes(folder);
  const [, code = ""] = /^```ts\n(\/\/ agent\.ts\n[\s\S]*?)^```$/m.exec(page) ?? [];
  await writeFile(join(folder, "agent.ts"), code);
  await mkdir(join(folder, "project"));
});
afterAll(() => rm(folder, { recursive: true }));

test("the page has settings of two editors", () => {
  expect(settings.map((each) => each?.command)).toEqual(
    Array(2).fill("/home/ada/scribe/node_modules/.bin/skein"),
  );
});

test.each(settings)("an editor with the settings of the page can have a file written: %j", async (server) => {
  const [, ...args] = server?.args ?? [];
  const here = args.map((each) =>
    each.replace("/home/ada/scribe/", `${folder}/`).replace("/home/ada/.local/state/", `${folder}/`),
  );
  const cwd = join(folder, "project");
  const editor = await startEditor(here, { cwd, variables: { SKEIN_MODEL: "offline" } });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, 'Write the file "notes.txt" with the new text "goose"');
  const [card] = cardsOf(editor.updates(sessionId)).values();
  expect(editor.permissions).toHaveLength(1);
  expect(card?.content).toContain('"type":"diff"');
  expect(await readFile(join(cwd, "notes.txt"), "utf8")).toBe("goose");
});
